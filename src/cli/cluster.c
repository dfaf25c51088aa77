/* Several nodes: --cluster finds them, and what cannot be done with more than one is refused. */
#include "cli/cli.h"

#ifdef ET_WITH_EI
#include "node/node.h"
#endif

#include <stdlib.h>
#include <string.h>

#ifdef ET_WITH_EI
enum { MOST = 1024 }; /* each has a thread, and a name that we have there */

/* A node that is also given with -N is meant once. */
static bool
add_node(void *arg, const char *name)
{
	struct cli *c = arg;
	for (unsigned i = 0; i < c->nnodes; i++)
		if (strcmp(c->nodes[i], name) == 0)
			return true;
	if (c->nnodes == MOST) {
		c->too_many_nodes = true;
		return false;
	}
	const char **nodes = realloc(c->nodes, (c->nnodes + 1) * sizeof *nodes);
	if (nodes)
		c->nodes = nodes;
	char **found = realloc(c->found, (c->nfound + 1) * sizeof *found);
	if (found)
		c->found = found;
	char *copy = nodes && found ? strdup(name) : NULL;
	if (!copy) {
		c->out_of_nodes = true;
		return false;
	}
	c->found[c->nfound++] = copy;
	c->nodes[c->nnodes++] = copy;
	return true;
}
#endif

static int
find_nodes(struct cli *c)
{
	if (!c->cluster && c->hidden && !c->join) {
		cli_error(c, "--hidden is for --cluster NODE and --join: it also takes hidden nodes");
		return EXIT_USAGE;
	}
	if (!c->cluster && !c->nnodes && c->join) {
		cli_error(c,
		    "--join needs -N NODE or --cluster NODE: it also traces nodes that get connected to these later");
		return EXIT_USAGE;
	}
	if (!c->cluster)
		return 0;
#ifdef ET_WITH_EI
	struct why why = {""};
	struct tunnel *tunnel = c->dist_opts ? node_tunnel(c->dist_opts, NULL, &why) : NULL;
	const struct node_conf conf = {.name = c->cluster, .cookie = c->cookie, .tunnel = tunnel};
	bool ok = (tunnel || !c->dist_opts) && node_peers(&conf, c->hidden, add_node, c, &why);
	tunnel_stop(tunnel);
	if (!ok) {
		cli_error(c, "--cluster: %s", why.text);
		return EXIT_ERROR;
	}
	if (c->out_of_nodes) {
		cli_error(c, "out of memory");
		return EXIT_ERROR;
	}
	if (c->too_many_nodes) {
		cli_error(
		    c, "--cluster: node %s knows more than %d nodes: name those to trace with -N", c->cluster, MOST);
		return EXIT_ERROR;
	}
	c->node = c->nodes[0];
	for (unsigned i = 0; c->verbose && i < c->nnodes; i++)
		cli_error(c, "node %u of %u: %s", i + 1, c->nnodes, c->nodes[i]);
	return 0;
#else
	cli_error(c, "--cluster: erltrace was built without Erlang's ei library (Debian: erlang-dev)");
	return EXIT_ERROR;
#endif
}

int
cli_find_nodes(struct cli *c)
{
	bool several = c->nnodes > 1 || c->cluster || c->join;
	if (several && c->ntargets)
		cli_error(c, "-%c is one process, and several nodes are given with %s: leave one of them out",
		    c->targets[0].is_command ? 'c' : 'p',
		    c->cluster ? "--cluster"
		    : c->join  ? "--join"
			       : "-N");
	else if (several && c->is_top)
		cli_error(c,
		    "top shows one node, because a pid means another process on each: give one -N, or use --top with a script");
	else
		return find_nodes(c);
	return EXIT_USAGE;
}

void
cli_free_nodes(struct cli *c)
{
	for (unsigned i = 0; i < c->nfound; i++)
		free(c->found[i]);
	free(c->found);
	free(c->nodes);
}
