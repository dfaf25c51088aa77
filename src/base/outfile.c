/* Opens a file for writing; see outfile.h. */
#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { MAX_LINKS = 16 };

static bool
is_foreign(const struct stat *st)
{
	return st->st_uid != 0 && st->st_uid != geteuid();
}

/* Returns whether everybody can make files in its folder, but nobody can remove those of others. */
static bool
is_shared(const char *path)
{
	char dir[PATH_MAX];
	struct stat st;
	const char *slash = strrchr(path, '/');
	snprintf(dir, sizeof dir, "%.*s", slash ? (int)(slash - path + 1) : 1, slash ? path : ".");
	return stat(dir, &st) == 0 && st.st_mode & S_ISVTX && st.st_mode & S_IWOTH;
}

/* Reads where a link leads into path. Returns false if that is too long or it is not a link any more. */
static bool
follow(int link, char path[PATH_MAX])
{
	char target[PATH_MAX], whole[PATH_MAX];
	ssize_t n = readlinkat(link, "", target, sizeof target - 1);
	if (n <= 0)
		return false;
	target[n] = '\0';
	const char *slash = strrchr(path, '/');
	int dir = target[0] == '/' || !slash ? 0 : (int)(slash - path + 1);
	if (snprintf(whole, sizeof whole, "%.*s%s", dir, path, target) >= (int)sizeof whole) {
		errno = ENAMETOOLONG;
		return false;
	}
	memcpy(path, whole, strlen(whole) + 1);
	return true;
}

/* Opens what `at` refers to, whatever its name leads to by now. */
static int
reopen(int at, const char *path, int flags)
{
	char self[64];
	snprintf(self, sizeof self, "/proc/self/fd/%d", at);
	int fd = open(self, O_WRONLY | O_CLOEXEC | flags);
	if (fd < 0 && errno == ENOENT) /* there is no /proc */
		fd = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | flags);
	return fd;
}

int
out_open(const char *name, int flags, struct why *why)
{
	char path[PATH_MAX];
	struct stat st;
	struct statfs fs;
	why->text[0] = '\0';
	errno = 0;
	if (snprintf(path, sizeof path, "%s", name) >= (int)sizeof path)
		errno = ENAMETOOLONG;
	for (unsigned links = 0; !errno && links < MAX_LINKS; links++) {
		int fd = -1, at = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		if (at < 0 && errno == ENOENT) {
			fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | flags, 0666);
			if (fd < 0 && errno == EEXIST) {
				errno = 0;
				continue; /* it was made meanwhile */
			}
		} else if (at >= 0 && fstat(at, &st) == 0) {
			bool is_link = S_ISLNK(st.st_mode);
			if (is_link && fstatfs(at, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC)
				fd = open(path, O_WRONLY | O_CLOEXEC | flags); /* one of our own descriptors */
			else if (is_link && is_foreign(&st))
				why_set(why, "it is a symbolic link of another user (%u): name the file itself",
				    (unsigned)st.st_uid);
			else if (is_link) {
				bool ok = follow(at, path);
				close(at);
				if (!ok)
					break;
				errno = 0;
				continue;
			} else if (is_foreign(&st) && (S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode)) && is_shared(path))
				why_set(why,
				    "another user (%u) has put it into a folder that everybody can write to: choose "
				    "another name",
				    (unsigned)st.st_uid);
			else
				fd = reopen(at, path, flags);
		}
		int err = errno;
		if (at >= 0)
			close(at);
		errno = err;
		if (fd < 0 && !why->text[0])
			why_set(why, "%s", strerror(errno));
		return fd;
	}
	why_set(why, "%s", strerror(errno ? errno : ELOOP));
	return -1;
}

FILE *
out_fopen(const char *path, int flags, struct why *why)
{
	int fd = out_open(path, flags, why);
	FILE *fp = fd >= 0 ? fdopen(fd, flags & O_APPEND ? "ae" : "we") : NULL;
	if (fd >= 0 && !fp) {
		why_set(why, "%s", strerror(errno));
		close(fd);
	}
	return fp;
}
