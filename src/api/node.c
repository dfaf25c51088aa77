/* Attaching a handle to a live Erlang node. */
#include "api/handle.h"

#include <stdlib.h>

#ifdef ET_WITH_EI
#include "node/node.h"

static bool
functions(void *ctx, const char *module, const char *function,
    bool (*fn)(void *arg, const char *module, const char *function), void *arg, char *why, size_t whylen)
{
	return node_functions(ctx, module, function, fn, arg, why, whylen);
}

int
et_attach(struct et *h, const char *node, const char *cookie)
{
	char why[NODE_WHY] = "";
	if (h->state != HS_OPEN || h->progs || h->node)
		return api_fail(h, ET_EORDER, "a handle is attached once, and before anything is compiled");
	struct nodelink *n = node_connect(&(struct node_conf){.name = node, .cookie = cookie}, why, sizeof why);
	if (!n)
		return api_fail(h, ET_ENODE, "%s", why);
	if (!node_attach(n, why, sizeof why)) {
		node_close(n);
		return api_fail(h, ET_ENODE, "%s", why);
	}
	h->node = n;
	h->link = (struct erlang_link){.os_pid = n->os_pid, .ctx = n, .functions = functions};
	if (!erlang_attach(h->probes, &h->link))
		return api_fail(h, ET_ENOMEM, "out of memory");
	if (h->target < 0)
		h->target = n->os_pid;
	return 0;
}

void
api_detach(struct et *h)
{
	node_close(h->node);
	h->node = NULL;
}

const struct engine_ops *
api_engine(const struct et *h)
{
	return h->node ? &engine_node : &engine_user;
}

#else

int
et_attach(struct et *h, const char *node, const char *cookie)
{
	(void)cookie;
	return api_fail(h, ET_ENODE, "node %s: erltrace was built without Erlang's ei library (Debian: erlang-dev)", node);
}

void
api_detach(struct et *h)
{
	(void)h;
}

const struct engine_ops *
api_engine(const struct et *h)
{
	(void)h;
	return &engine_user;
}

#endif
