/* -N without a name: the Erlang nodes of this machine. */
#include "cli/cli.h"
#include "node/local.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
	struct local_nodes all;
	int status = EXIT_OK;
	bool answers = local_nodes(&all);
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
	struct local_nodes all;
	size_t at = 0;
	text[0] = '\0';
	local_nodes(&all);
	for (unsigned i = 0; i < all.n && at < size; i++)
		at += (size_t)snprintf(text + at, size - at, "%s%s", at ? ", " : "", all.at[i].name);
	free(all.at);
}
