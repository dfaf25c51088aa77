/* What /proc says of processes: which there are, and their mappings with code. */
#include "sym/syms.h"

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
proc_maps(int64_t pid, bool (*fn)(void *arg, const struct sym_map *m), void *arg)
{
	char path[64], *line = NULL;
	size_t room = 0;
	struct sym_map m;
	snprintf(path, sizeof path, "/proc/%lld/maps", (long long)pid);
	FILE *f = fopen(path, "re");
	if (!f)
		return errno ? errno : EIO;
	while (getline(&line, &room, f) > 0)
		if (proc_maps_line(line, &m) && !fn(arg, &m))
			break;
	int err = ferror(f) ? EIO : 0;
	free(line);
	fclose(f);
	return err;
}

static int
open_same(const char *path, const struct sym_map *m)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -1;
	/* File systems without a device of their own (overlay, btrfs) show other numbers in mappings. */
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (st.st_ino == m->ino || major(st.st_dev) == 0))
		return fd;
	close(fd);
	return -1;
}

int
proc_open(int64_t pid, const struct sym_map *m)
{
	char path[4200];
	int fd = -1;
	if (m->ino == 0 || m->path[0] != '/')
		return -1;
	if (snprintf(path, sizeof path, "/proc/%lld/root%s", (long long)pid, m->path) < (int)sizeof path)
		fd = open_same(path, m);
	if (fd < 0)
		fd = open_same(m->path, m);
	if (fd < 0) {
		/* Deleted, or in another mount namespace: by the mapping itself, which needs more privileges. */
		snprintf(path, sizeof path, "/proc/%lld/map_files/%llx-%llx", (long long)pid,
		    (unsigned long long)m->start, (unsigned long long)m->end);
		fd = open_same(path, m);
	}
	return fd;
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
