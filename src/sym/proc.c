/* What /proc tells about processes: which ones exist, and their mappings with code. */
#include "sym/syms.h"

#include "sym/slow.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

bool
proc_maps_line(char *line, struct sym_map *m)
{
	unsigned long long start, end, off, ino;
	unsigned major_, minor_;
	char perms[8];
	int path = 0;
	/* Most lines are about data, so they are skipped fast. */
	const char *blank = strchr(line, ' ');
	if (!blank || strlen(blank) < 4 || blank[3] != 'x')
		return false;
	if (sscanf(line, "%llx-%llx %7s %llx %x:%x %llu %n", &start, &end, perms, &off, &major_, &minor_, &ino, &path) <
		7 ||
	    !path || perms[2] != 'x' || end <= start)
		return false;
	size_t len = strcspn(line + path, "\n");
	line[(size_t)path + len] = '\0';
	*m = (struct sym_map){start, end, off, makedev(major_, minor_), ino, line + path};
	return true;
}

int
proc_maps(int64_t pid, struct spending *sp, bool (*fn)(void *arg, const struct sym_map *m), void *arg)
{
	char path[64], *line = NULL;
	size_t room = 0;
	struct sym_map m;
	snprintf(path, sizeof path, "/proc/%lld/maps", (long long)pid);
	FILE *f = fopen(path, "re");
	if (!f)
		return errno ? errno : EIO;
	while ((!sp || spend_time(sp)) && getline(&line, &room, f) > 0)
		if (proc_maps_line(line, &m) && !fn(arg, &m))
			break;
	int err = ferror(f) ? EIO : 0;
	free(line);
	fclose(f);
	return err;
}

/* How sure it must be that a file is the mapped one. File systems without their own device (overlay, btrfs) show
 * other numbers in mappings; there the name must do if nothing better is available. */
enum sure { SAME_NUMBERS, SAME_FILE, SAME_NAME };

static int
open_same(const char *path, const struct sym_map *m, enum sure sure, struct spending *sp)
{
	struct stat st;
	int fd = slow_open(sp, path, 0, &st);
	if (fd < 0)
		return -1;
	bool same = st.st_ino == m->ino && st.st_dev == m->dev;
	if (same || sure == SAME_FILE || (sure == SAME_NAME && (st.st_ino == m->ino || major(st.st_dev) == 0)))
		return fd;
	slow_close(sp, fd);
	return -1;
}

int
proc_open(int64_t pid, const struct sym_map *m, struct spending *sp)
{
	char path[4200], link[80];
	if (m->ino == 0 || m->path[0] != '/')
		return -1;
	bool fits = snprintf(path, sizeof path, "/proc/%lld/root%s", (long long)pid, m->path) < (int)sizeof path;
	snprintf(link, sizeof link, "/proc/%lld/map_files/%llx-%llx", (long long)pid, (unsigned long long)m->start,
	    (unsigned long long)m->end);
	int fd = fits ? open_same(path, m, SAME_NUMBERS, sp) : -1;
	if (fd < 0)
		fd = open_same(m->path, m, SAME_NUMBERS, sp);
	/* The file was deleted, is in another mount namespace, or is on such a file system. Open it through the
	 * mapping itself, which needs more privileges. With those privileges we do not trust names that the process
	 * chose: another file may be there. */
	if (fd < 0) {
		errno = 0;
		fd = open_same(link, m, SAME_FILE, sp);
		if (fd < 0 && fits && (errno == EPERM || errno == EACCES))
			fd = open_same(path, m, SAME_NAME, sp);
	}
	if (fd < 0)
		fd = open_same(m->path, m, SAME_NAME, sp);
	if (fd < 0 && sp && sp->is_served && !sp->over)
		sp->over = "it is on a file system that a process serves (FUSE)";
	return fd;
}

bool
proc_is_trusted(const struct proc_user *u)
{
	return (u->real == 0 || u->real == getuid()) && !u->is_inside;
}

bool
proc_user(int64_t pid, struct proc_user *u)
{
	char path[64], text[4096];
	snprintf(path, sizeof path, "/proc/%lld/status", (long long)pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return false;
	text[n] = '\0';
	/* The process chooses its name, but newlines in it are escaped. */
	const char *uid = strstr(text, "\nUid:\t"), *ns = strstr(text, "\nNSpid:\t");
	unsigned r, e;
	if (!uid || sscanf(uid + 6, "%u %u", &r, &e) != 2)
		return false;
	*u = (struct proc_user){r, e, pid, false};
	if (ns) {
		const char *first = ns + 8, *last = strchrnul(first, '\n');
		while (last > first && last[-1] != '\t')
			last--;
		u->inner = strtoll(last, NULL, 10);
		u->is_inside = last > first;
	}
	return true;
}

void
proc_each(void (*fn)(void *arg, int64_t pid), void *arg)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	while (d && (e = readdir(d))) {
		char *end;
		long long pid = isdigit((unsigned char)e->d_name[0]) ? strtoll(e->d_name, &end, 10) : 0;
		if (pid > 0 && !*end)
			fn(arg, pid);
	}
	if (d)
		closedir(d);
}
