/* See local.h. */
#include "node/local.h"

#include "node/epmd.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CMDLINE = 64 << 10 };

bool
beam_is_name_option(const char *arg)
{
	return strcmp(arg, "-name") == 0 || strcmp(arg, "-sname") == 0 || strcmp(arg, "--name") == 0 ||
	       strcmp(arg, "--sname") == 0;
}

static bool
is_cookie_option(const char *arg)
{
	return strcmp(arg, "-setcookie") == 0 || strcmp(arg, "--cookie") == 0;
}

/* Reads the words of its command line, each with its NUL. Returns the length. */
static size_t
read_cmdline(pid_t pid, char *text, size_t size)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/cmdline", (int)pid);
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(text, 1, size - 1, f) : 0;
	if (f)
		fclose(f);
	text[n] = '\0';
	return n;
}

bool
beam_is(pid_t pid)
{
	char path[64], exe[4096];
	snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
	ssize_t n = readlink(path, exe, sizeof exe - 1);
	if (n <= 0) {
		/* It is somebody else's process: everybody can read its name. */
		snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
		FILE *f = fopen(path, "re");
		n = f ? (ssize_t)fread(exe, 1, sizeof exe - 1, f) : 0;
		if (f)
			fclose(f);
	}
	exe[n > 0 ? n : 0] = '\0';
	const char *base = strrchr(exe, '/');
	return strncmp(base ? base + 1 : exe, "beam", 4) == 0;
}

/* Finds the inodes of the sockets that the process has open. */
static unsigned
own_sockets(pid_t pid, unsigned long *inodes, unsigned max)
{
	char path[64], link[4096], to[64];
	unsigned n = 0;
	snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
	DIR *d = opendir(path);
	for (struct dirent *e; d && n < max && (e = readdir(d));) {
		snprintf(link, sizeof link, "%s/%s", path, e->d_name);
		ssize_t len = readlink(link, to, sizeof to - 1);
		if (len <= 0)
			continue;
		to[len] = '\0';
		if (sscanf(to, "socket:[%lu]", &inodes[n]) == 1)
			n++;
	}
	if (d)
		closedir(d);
	return n;
}

/* Returns whether the process listens on this TCP port. */
static bool
listens(pid_t pid, unsigned port)
{
	static const char *const files[] = {"/proc/net/tcp", "/proc/net/tcp6"};
	unsigned long inodes[1024];
	unsigned n = own_sockets(pid, inodes, 1024);
	for (unsigned i = 0; i < 2; i++) {
		char line[512];
		FILE *f = fopen(files[i], "re");
		while (f && fgets(line, sizeof line, f)) {
			unsigned local, state;
			unsigned long inode;
			/* slot, local address:port, remote, state, queues, timer, retransmits, uid, timeout, inode */
			if (sscanf(line, " %*[^:]: %*[^:]:%x %*[^ ] %x %*s %*s %*s %*s %*s %lu", &local, &state,
				&inode) != 3 ||
			    local != port || state != 0x0a)
				continue;
			for (unsigned k = 0; k < n; k++)
				if (inodes[k] == inode) {
					fclose(f);
					return true;
				}
		}
		if (f)
			fclose(f);
	}
	return false;
}

/* Finds name and cookie on its command line; "" if they are not there. */
static void
words(pid_t pid, char *name, size_t nsize, char *cookie, size_t csize)
{
	char *text = malloc(CMDLINE);
	size_t len = text ? read_cmdline(pid, text, CMDLINE) : 0;
	name[0] = cookie[0] = '\0';
	for (size_t at = 0; at < len; at += strlen(text + at) + 1) {
		size_t next = at + strlen(text + at) + 1;
		if (next < len && beam_is_name_option(text + at))
			snprintf(name, nsize, "%s", text + next);
		if (next < len && is_cookie_option(text + at))
			snprintf(cookie, csize, "%s", text + next);
	}
	free(text);
}

struct asking {
	pid_t pid;
	char *name;
	size_t size;
};

static bool
is_its_name(void *arg, const char *alive, unsigned port)
{
	struct asking *a = arg;
	if (!listens(a->pid, port))
		return true;
	snprintf(a->name, a->size, "%s", alive);
	return false;
}

void
beam_node(pid_t pid, char *name, size_t nsize, char *cookie, size_t csize)
{
	struct asking a = {pid, name, nsize};
	words(pid, name, nsize, cookie, csize);
	if (!name[0])
		epmd_ask_here(is_its_name, &a);
}

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

/* Finds whose VM this is: by the port that it listens on, or, where we may not look, by its command line. */
static void
match_process(struct local_nodes *all, pid_t pid)
{
	char name[512], cookie[256];
	words(pid, name, sizeof name, cookie, sizeof cookie);
	size_t len = strcspn(name, "@");
	for (unsigned i = 0; i < all->n; i++) {
		struct local_node *f = &all->at[i];
		bool said = len && strlen(f->alive) == len && strncmp(f->alive, name, len) == 0;
		if (f->pid || !(listens(pid, f->port) || said))
			continue;
		f->pid = pid;
		if (said)
			add_host(f, name + len);
		return;
	}
}

static void
find_processes(struct local_nodes *all)
{
	DIR *d = opendir("/proc");
	for (struct dirent *e; d && (e = readdir(d));) {
		pid_t pid = isdigit((unsigned char)e->d_name[0]) ? (pid_t)atoi(e->d_name) : 0;
		if (pid > 0 && beam_is(pid))
			match_process(all, pid);
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
