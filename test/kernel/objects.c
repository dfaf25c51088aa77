/*
 * What a process has in the kernel, and whether it is gone: whatever else runs on the machine does not matter.
 *
 *	objects of PID		its BPF programs, maps and links, one a line: "prog 12". Maps that only programs hold
 *too.
 *	objects gone FILE	waits until none of those that FILE lists is there any more; prints "gone" or those that
 *are left
 */
#include <dirent.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int
bpf(int cmd, union bpf_attr *a)
{
	return (int)syscall(SYS_bpf, cmd, a, sizeof *a);
}

static int
open_id(int cmd, unsigned id)
{
	union bpf_attr a;
	memset(&a, 0, sizeof a);
	a.prog_id = id; /* all ids are at the same place */
	return bpf(cmd, &a);
}

static void
maps_of(unsigned prog)
{
	int fd = open_id(BPF_PROG_GET_FD_BY_ID, prog);
	uint32_t ids[256];
	struct bpf_prog_info info = {.nr_map_ids = 256, .map_ids = (uint64_t)(uintptr_t)ids};
	union bpf_attr a;
	if (fd < 0)
		return;
	memset(&a, 0, sizeof a);
	a.info.bpf_fd = (uint32_t)fd;
	a.info.info_len = sizeof info;
	a.info.info = (uint64_t)(uintptr_t)&info;
	if (bpf(BPF_OBJ_GET_INFO_BY_FD, &a) == 0)
		for (uint32_t i = 0; i < info.nr_map_ids && i < 256; i++)
			printf("map %u\n", ids[i]);
	close(fd);
}

static int
of(const char *pid)
{
	char path[300], line[256];
	snprintf(path, sizeof path, "/proc/%s/fdinfo", pid);
	DIR *d = opendir(path);
	if (!d)
		return 1;
	for (struct dirent *e; (e = readdir(d));) {
		snprintf(path, sizeof path, "/proc/%s/fdinfo/%s", pid, e->d_name);
		FILE *f = e->d_name[0] == '.' ? NULL : fopen(path, "r");
		unsigned id;
		while (f && fgets(line, sizeof line, f)) {
			if (sscanf(line, "prog_id: %u", &id) == 1) {
				printf("prog %u\n", id);
				maps_of(id);
			} else if (sscanf(line, "map_id: %u", &id) == 1) {
				printf("map %u\n", id);
			} else if (sscanf(line, "link_id: %u", &id) == 1) {
				printf("link %u\n", id);
			}
		}
		if (f)
			fclose(f);
	}
	closedir(d);
	return 0;
}

/* Those of the list that are there; printed when asked for. */
static unsigned
there(FILE *f, int print)
{
	char kind[16];
	unsigned id, n = 0;
	rewind(f);
	while (fscanf(f, "%15s %u", kind, &id) == 2) {
		int cmd = kind[0] == 'p' ? BPF_PROG_GET_FD_BY_ID
					 : (kind[0] == 'm' ? BPF_MAP_GET_FD_BY_ID : BPF_LINK_GET_FD_BY_ID);
		int fd = open_id(cmd, id);
		if (fd < 0 && errno == ENOENT)
			continue;
		if (print)
			printf("%s %u is left\n", kind, id);
		if (fd >= 0)
			close(fd);
		n++;
	}
	return n;
}

int
main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "of") == 0)
		return of(argv[2]);
	FILE *f = argc == 3 ? fopen(argv[2], "r") : NULL;
	if (!f)
		return 2;
	/* The kernel lets go of them a while after the last descriptor is closed. */
	for (int i = 0; i < 1200 && there(f, 0); i++) {
		struct timespec t = {.tv_nsec = 50000000};
		nanosleep(&t, NULL);
	}
	if (there(f, 1) == 0)
		printf("gone\n");
	fclose(f);
	return 0;
}
