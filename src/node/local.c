/* See local.h. */
#include "node/local.h"

#include "node/beam.h"
#include "node/epmd.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool
add_node(void *arg, const char *alive, unsigned port)
{
	struct local_nodes *all = arg;
	struct local_node *more = realloc(all->at, (all->n + 1) * sizeof *more);
	all->failed = !more;
	if (!more)
		return false;
	all->at = more;
	struct local_node *f = &more[all->n++];
	*f = (struct local_node){.port = port};
	snprintf(f->alive, sizeof f->alive, "%s", alive);
	snprintf(f->name, sizeof f->name, "%s", alive);
	return true;
}

/* -name shop@host, or -sname shop, which is on this host. A node that names itself later (RabbitMQ does) has
 * neither. */
static void
add_host(struct local_node *f, const char *at)
{
	char host[256] = "localhost";
	gethostname(host, sizeof host - 1);
	host[strcspn(host, ".")] = '\0';
	snprintf(f->name, sizeof f->name, "%s%s%s", f->alive, *at ? "" : "@", *at ? at : host);
}

/* Finds whose VM this is: by the port that it listens on, or, where we may not look, by its command line. Returns false
 * if that could not be read in time. */
static bool
match_process(struct local_nodes *all, pid_t pid, bool may_wait)
{
	char name[512] = "";
	bool answers = !may_wait || beam_said_name(pid, name, sizeof name);
	size_t len = strcspn(name, "@");
	for (unsigned i = 0; i < all->n; i++) {
		struct local_node *f = &all->at[i];
		bool said = len && strlen(f->alive) == len && strncmp(f->alive, name, len) == 0;
		if (f->pid || !(beam_listens(pid, f->port) || said))
			continue;
		f->pid = pid;
		if (said)
			add_host(f, name + len);
		break;
	}
	return answers;
}

static void
find_processes(struct local_nodes *all)
{
	bool may_wait = true; /* once is enough, whoever keeps us waiting */
	DIR *d = opendir("/proc");
	for (struct dirent *e; d && (e = readdir(d));) {
		pid_t pid = isdigit((unsigned char)e->d_name[0]) ? (pid_t)atoi(e->d_name) : 0;
		if (pid > 0 && beam_is(pid))
			may_wait &= match_process(all, pid, may_wait);
	}
	if (d)
		closedir(d);
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct local_node *)a)->name, ((const struct local_node *)b)->name);
}

bool
local_nodes(struct local_nodes *all)
{
	*all = (struct local_nodes){0};
	bool answers = epmd_ask_here(add_node, all) == EPMD_ANSWERED;
	find_processes(all);
	if (all->n)
		qsort(all->at, all->n, sizeof *all->at, by_name);
	return answers;
}

/* -- families ------------------------------------------------------------------------------------------------------ */

static pid_t
parent(pid_t pid)
{
	char path[64], line[512] = "";
	int up = 0;
	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	FILE *f = fopen(path, "re");
	if (f) {
		line[fread(line, 1, sizeof line - 1, f)] = '\0';
		fclose(f);
	}
	/* number (name) state parent; the name may have parentheses and blanks */
	const char *name_ends = strrchr(line, ')');
	return name_ends && sscanf(name_ends + 1, " %*c %d", &up) == 1 ? (pid_t)up : 0;
}

unsigned
local_vms_below(pid_t pid, pid_t *vms, unsigned max)
{
	unsigned n = 0;
	DIR *d = opendir("/proc");
	for (struct dirent *e; d && (e = readdir(d));) {
		pid_t vm = isdigit((unsigned char)e->d_name[0]) ? (pid_t)atoi(e->d_name) : 0;
		if (vm <= 0 || !beam_is(vm))
			continue;
		pid_t up = parent(vm);
		while (up > 0 && up != pid)
			up = parent(up);
		if (up == pid && n++ < max)
			vms[n - 1] = vm;
	}
	if (d)
		closedir(d);
	return n;
}

pid_t
local_vm_above(pid_t pid)
{
	pid_t up = parent(pid);
	while (up > 0 && !beam_is(up))
		up = parent(up);
	return up;
}
