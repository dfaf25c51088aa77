/* See memory.h. Cached files count as free, because the kernel drops them first. */
#include "memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns the first number of a file; UINT64_MAX for "max" and if it cannot be read. */
static uint64_t
read_number(const char *folder, const char *file)
{
	char path[1200], text[64] = "";
	snprintf(path, sizeof path, "%s/%s", folder, file);
	FILE *f = fopen(path, "re");
	if (!f)
		return UINT64_MAX;
	char *got = fgets(text, sizeof text, f), *end;
	fclose(f);
	unsigned long long n = got ? strtoull(text, &end, 10) : 0;
	return got && end != text ? n : UINT64_MAX;
}

/* Returns the number behind a word at the beginning of a line, or 0 if there is none. */
static uint64_t
read_line(const char *path, const char *word)
{
	char line[256];
	unsigned long long n = 0;
	size_t len = strlen(word);
	FILE *f = fopen(path, "re");
	while (f && fgets(line, sizeof line, f))
		if (strncmp(line, word, len) == 0 && sscanf(line + len, " %llu", &n) == 1)
			break;
	if (f)
		fclose(f);
	return n;
}

/* The names of the files differ between the two versions of control groups. */
struct version {
	const char *root, *limit, *used, *cache;
};
static const struct version v2 = {"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"};
static const struct version v1 = {
    "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};

static uint64_t
group_free(const struct version *v, const char *folder)
{
	char stat[1200];
	uint64_t limit = read_number(folder, v->limit), used = read_number(folder, v->used);
	if (limit >= UINT64_MAX / 4 || used == UINT64_MAX)
		return UINT64_MAX;
	snprintf(stat, sizeof stat, "%s/memory.stat", folder);
	uint64_t cache = read_line(stat, v->cache);
	used -= cache < used ? cache : used;
	return limit > used ? limit - used : 0;
}

/* Returns the least of a group and all above it. In a container the path may be one that only the host knows; then
 * the root is the group. */
static uint64_t
groups_free(const struct version *v, const char *path)
{
	char folder[1100];
	uint64_t least = UINT64_MAX, here;
	snprintf(folder, sizeof folder, "%s%s", v->root, path);
	for (size_t root = strlen(v->root); strlen(folder) >= root;) {
		if ((here = group_free(v, folder)) < least)
			least = here;
		char *slash = strrchr(folder, '/');
		if (strlen(folder) == root || !slash)
			break;
		*slash = '\0';
	}
	return least;
}

static uint64_t
cgroup_free(void)
{
	char line[1024];
	uint64_t least = UINT64_MAX, here = UINT64_MAX;
	FILE *f = fopen("/proc/self/cgroup", "re");
	while (f && fgets(line, sizeof line, f)) {
		line[strcspn(line, "\n")] = '\0';
		char *names = strchr(line, ':'), *path = names ? strchr(names + 1, ':') : NULL;
		if (!path)
			continue;
		*path++ = '\0';
		if (names[1] == '\0')
			here = groups_free(&v2, path);
		else if (strstr(names + 1, "memory"))
			here = groups_free(&v1, path);
		if (here < least)
			least = here;
	}
	if (f)
		fclose(f);
	return least;
}

uint64_t
memory_allowed(const char **by)
{
	uint64_t free = read_line("/proc/meminfo", "MemAvailable:") * 1024, group = cgroup_free();
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
	if (!free && pages > 0 && size > 0)
		free = (uint64_t)pages * (uint64_t)size;
	*by = group < free ? "of the node's control group" : "on the node's machine";
	return (group < free ? group : free) / 2;
}
