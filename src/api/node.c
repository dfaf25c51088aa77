/* Attaching a handle to a live Erlang node. */
#include "api/mixed.h"

#include <stdlib.h>
#include <string.h>

#ifdef ET_WITH_EI
#include "node/beam.h"
#include "node/cluster.h"
#include "node/node.h"

static bool
functions(void *ctx, const char *module, const char *function,
    bool (*fn)(void *arg, const char *module, const char *function), void *arg, struct why *why)
{
	return node_functions(ctx, module, function, fn, arg, why);
}

/* A handle is attached only once, and before anything is compiled. */
static int
check_order(struct et *h)
{
	if (h->state != HS_OPEN || h->progs || api_is_attached(h))
		return api_fail(h, ET_EORDER, "a handle is attached once, and before anything is compiled");
	return 0;
}

/* Frames of Erlang stacks are functions of the node. */
static bool
symbol(void *arg, int64_t pid, uint64_t addr, const char **module, const char **sym, uint64_t *off)
{
	struct et *h = arg;
	(void)pid;
	*module = h->cluster ? cluster_symbol(h->cluster, addr) : h->node ? node_symbol(h->node, addr) : NULL;
	*sym = "";
	*off = 0;
	return *module != NULL;
}

static bool
functions_of_all(void *ctx, const char *module, const char *function,
    bool (*fn)(void *arg, const char *module, const char *function), void *arg, struct why *why)
{
	return cluster_functions(ctx, module, function, fn, arg, why);
}

static int
take_link(struct et *h, struct erlang_link link)
{
	h->link = link;
	if (!erlang_attach(h->probes, &h->link))
		return api_fail(h, ET_ENOMEM, "out of memory");
	if (h->target < 0 && link.os_pid)
		h->target = link.os_pid;
	if (!h->on.sym)
		et_set_symboliser(h, symbol, h);
	return 0;
}

int
api_attach(struct et *h, struct nodelink *n)
{
	if (check_order(h) != 0) {
		node_close(n);
		return -1;
	}
	h->node = n;
	return take_link(h, (struct erlang_link){.os_pid = n->os_pid, .ctx = n, .functions = functions});
}

/* pid: of the process whose options are taken if none were given, or 0. */
static int
open_tunnel(struct et *h, int64_t pid)
{
	struct why why = {""};
	char own[TLS_OPTIONS] = "";
	const char *options = h->opts.str[OPT_DISTOPTS];
	if (pid && (!options || !*options)) {
		const char *untold = beam_tls_options((pid_t)pid, &h->interrupted, own, sizeof own);
		if (untold)
			return api_fail(h, ET_ENODE,
			    "process %lld: its distribution runs over TLS, but the options on its command line cannot be "
			    "taken: %s. Give them, with files whose paths have no blanks (a link will do): --dist-opts "
			    "'-ssl_dist_optfile FILE'",
			    (long long)pid, untold);
		options = own;
	}
	if (options && *options && !h->tunnel && !(h->tunnel = node_tunnel(options, &h->interrupted, &why)))
		return api_fail(h, atomic_load(&h->interrupted) ? ET_EINTERRUPTED : ET_ENODE, "%s", why.text);
	return 0;
}

int
et_set_helper(struct et *h, struct et *of)
{
	struct why why = {""};
	const char *options = of->opts.str[OPT_DISTOPTS];
	if (check_order(h) != 0)
		return -1;
	if (!options || !*options)
		return api_fail(h, ET_EINVAL, "a helper needs the option distopts");
	if (of->tunnel && !tunnel_lives(of->tunnel)) {
		tunnel_stop(of->tunnel);
		of->tunnel = NULL;
	}
	if (!of->tunnel && !(of->tunnel = node_tunnel(options, &h->interrupted, &why)))
		return api_fail(h, atomic_load(&h->interrupted) ? ET_EINTERRUPTED : ET_ENODE, "%s", why.text);
	struct tunnel *shared = tunnel_share(of->tunnel);
	tunnel_stop(h->tunnel);
	h->tunnel = shared;
	return 0;
}

static int
attach(struct et *h, struct node_conf *conf)
{
	struct why why = {""};
	if (check_order(h) != 0)
		return -1;
	if (open_tunnel(h, conf->pid) != 0)
		return -1;
	conf->tunnel = h->tunnel;
	conf->dir = h->opts.str[OPT_NODEDIR];
	conf->stop = &h->interrupted;
	struct nodelink *n = node_connect(conf, &why);
	if (!n || !node_attach(n, &why)) {
		node_close(n);
		return api_fail(h, atomic_load(&h->interrupted) ? ET_EINTERRUPTED : ET_ENODE, "%s", why.text);
	}
	return api_attach(h, n);
}

static bool
read_join(const char *text, enum cluster_join *join)
{
	*join = !text || !*text ? JOIN_NONE : strcmp(text, "hidden") == 0 ? JOIN_HIDDEN : JOIN_VISIBLE;
	return *join != JOIN_VISIBLE || strcmp(text, "visible") == 0;
}

int
et_attach_nodes(struct et *h, const char *const *nodes, unsigned n, const char *cookie)
{
	struct why why = {""};
	enum cluster_join join;
	if (!read_join(h->opts.str[OPT_JOIN], &join))
		return api_fail(h, ET_EOPTVALUE, "join is '%s': it can be visible or hidden", h->opts.str[OPT_JOIN]);
	if (n == 1 && join == JOIN_NONE)
		return et_attach(h, nodes[0], cookie);
	if (check_order(h) != 0)
		return -1;
	if (n == 0)
		return api_fail(h, ET_EINVAL, "no node was named");
	if (open_tunnel(h, 0) != 0)
		return -1;
	const struct cluster_conf conf = {.names = nodes,
	    .n = n,
	    .cookie = cookie,
	    .dir = h->opts.str[OPT_NODEDIR],
	    .stop = &h->interrupted,
	    .join = join,
	    .tunnel = h->tunnel};
	h->cluster = cluster_attach(&conf, &why);
	if (!h->cluster)
		return api_fail(h, atomic_load(&h->interrupted) ? ET_EINTERRUPTED : ET_ENODE, "%s", why.text);
	return take_link(h, (struct erlang_link){.ctx = h->cluster, .functions = functions_of_all});
}

int
et_attach(struct et *h, const char *node, const char *cookie)
{
	return attach(h, &(struct node_conf){.name = node, .cookie = cookie});
}

int
et_attach_pid(struct et *h, int64_t pid, const char *cookie)
{
	if (pid <= 0 || pid > INT32_MAX)
		return api_fail(h, ET_ENODE, "%lld is not the id of a process", (long long)pid);
	return attach(h, &(struct node_conf){.pid = pid, .cookie = cookie});
}

int
et_find_process(struct et *h, const char *name, char *pid, size_t size)
{
	struct why why = {""};
	if (!h->node)
		return api_fail(h, ET_EORDER,
		    h->cluster ? "a pid means another process on each node" : "the handle is not attached to a node");
	return node_find_process(h->node, name, pid, size, &why) ? 0 : api_fail(h, ET_ENODE, "%s", why.text);
}

void
api_detach(struct et *h)
{
	node_close(h->node);
	cluster_close(h->cluster);
	tunnel_stop(h->tunnel);
	h->tunnel = NULL;
	h->node = NULL;
	h->cluster = NULL;
}

/* Frames are then addresses. */
static int
use_kernel(struct et *h, const struct engine_ops **ops)
{
	if (h->on.sym == symbol && h->on.symarg == h)
		et_set_symboliser(h, NULL, NULL);
	return api_kernel_engine(h, ops);
}

int
api_engine(struct et *h, const struct engine_ops **ops)
{
	if (!api_is_attached(h))
		return api_local_engine(h, ops);
	*ops = h->cluster ? &engine_cluster : &engine_node;
	return mixed_is(h) ? use_kernel(h, ops) : 0;
}

#else

int
et_attach(struct et *h, const char *node, const char *cookie)
{
	(void)cookie;
	return api_fail(
	    h, ET_ENODE, "node %s: erltrace was built without Erlang's ei library (Debian: erlang-dev)", node);
}

int
et_attach_nodes(struct et *h, const char *const *nodes, unsigned n, const char *cookie)
{
	return et_attach(h, n ? nodes[0] : "", cookie);
}

int
et_attach_pid(struct et *h, int64_t pid, const char *cookie)
{
	(void)cookie;
	return api_fail(h, ET_ENODE,
	    "process %lld: erltrace was built without Erlang's ei library (Debian: erlang-dev)", (long long)pid);
}

int
et_find_process(struct et *h, const char *name, char *pid, size_t size)
{
	(void)pid, (void)size;
	return et_attach(h, name, NULL);
}

int
et_set_helper(struct et *h, struct et *of)
{
	(void)of;
	return et_attach(h, "with TLS", NULL);
}

void
api_detach(struct et *h)
{
	(void)h;
}

int
api_engine(struct et *h, const struct engine_ops **ops)
{
	return api_local_engine(h, ops);
}

#endif
