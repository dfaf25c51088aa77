/* -N without a name: the Erlang nodes of this machine. */
#include "cli/beam.h"
#include "cli/cli.h"

#include <ctype.h>
#include <dirent.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct found {
	char alive[256], name[512]; /* name: with its host if that is known; -N also takes it without */
	unsigned port;
	pid_t pid; /* 0 if not found */
};

struct nodes {
	struct found *at;
	unsigned n;
	bool failed;
};

static bool
add_node(void *arg, const char *alive, unsigned port)
{
	struct nodes *all = arg;
	struct found *more = realloc(all->at, (all->n + 1) * sizeof *more);
	all->failed = !more;
	if (!more)
		return false;
	all->at = more;
	struct found *f = &more[all->n++];
	*f = (struct found){.port = port};
	snprintf(f->alive, sizeof f->alive, "%s", alive);
	snprintf(f->name, sizeof f->name, "%s", alive);
	return true;
}

/* -name shop@host, or -sname shop, which is on this host. A node that names itself later (RabbitMQ does) has
 * neither. */
static void
add_host(struct found *f, const char *at)
{
	char host[256] = "localhost";
	gethostname(host, sizeof host - 1);
	host[strcspn(host, ".")] = '\0';
	snprintf(f->name, sizeof f->name, "%s%s%s", f->alive, *at ? "" : "@", *at ? at : host);
}

/* Finds whose VM this is: by the port that it listens on, or, where we may not look, by its command line. */
static void
match_process(struct nodes *all, pid_t pid)
{
	char name[512], cookie[256];
	beam_words(pid, name, sizeof name, cookie, sizeof cookie);
	size_t len = strcspn(name, "@");
	for (unsigned i = 0; i < all->n; i++) {
		struct found *f = &all->at[i];
		bool said = len && strlen(f->alive) == len && strncmp(f->alive, name, len) == 0;
		if (f->pid || !(beam_listens(pid, f->port) || said))
			continue;
		f->pid = pid;
		if (said)
			add_host(f, name + len);
		return;
	}
}

static void
find_processes(struct nodes *all)
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
	return strcmp(((const struct found *)a)->name, ((const struct found *)b)->name);
}

/* Returns false if there is no epmd, so that no node has a name. */
static bool
find_nodes(struct nodes *all)
{
	*all = (struct nodes){0};
	bool answers = epmd_each(add_node, all);
	find_processes(all);
	if (all->n)
		qsort(all->at, all->n, sizeof *all->at, by_name);
	return answers;
}

static const char *
owner(pid_t pid)
{
	char path[64];
	struct stat st;
	snprintf(path, sizeof path, "/proc/%d", (int)pid);
	const struct passwd *pw = pid && stat(path, &st) == 0 ? getpwuid(st.st_uid) : NULL;
	return pw ? pw->pw_name : "-";
}

int
cli_list_nodes(struct cli *c)
{
	struct nodes all;
	int status = EXIT_OK;
	bool answers = find_nodes(&all);
	if (!all.n) {
		cli_error(c, "no Erlang node on this machine has a name%s: start one with -sname or -name",
		    answers ? "" : " (no epmd answers)");
		status = EXIT_ERROR;
	} else
		fprintf(c->out, "%-40s %8s %-12s %6s\n", "NODE", "PID", "USER", "PORT");
	for (unsigned i = 0; i < all.n; i++) {
		char pid[16] = "-";
		if (all.at[i].pid)
			snprintf(pid, sizeof pid, "%d", (int)all.at[i].pid);
		fprintf(c->out, "%-40s %8s %-12s %6u\n", all.at[i].name, pid, owner(all.at[i].pid), all.at[i].port);
	}
	if (all.failed) {
		cli_error(c, "out of memory");
		status = EXIT_ERROR;
	}
	free(all.at);
	return status;
}

void
cli_node_names(char *text, size_t size)
{
	struct nodes all;
	size_t at = 0;
	text[0] = '\0';
	find_nodes(&all);
	for (unsigned i = 0; i < all.n && at < size; i++)
		at += (size_t)snprintf(text + at, size - at, "%s%s", at ? ", " : "", all.at[i].name);
	free(all.at);
}
