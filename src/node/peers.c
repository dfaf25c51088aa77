/* Which nodes a node knows. */
#include "node/node.h"

#include <ctype.h>
#include <string.h>

/* A command of erltrace, which is connected as a hidden node (connect.c). */
static bool
is_command(const char *name)
{
	static const char ours[] = "erltrace_";
	size_t len = sizeof ours - 1;
	if (strncmp(name, ours, len) != 0 || !isdigit((unsigned char)name[len]))
		return false;
	len += strspn(name + len, "0123456789");
	return name[len] == '@';
}

/* [Node] */
static bool
walk(const ei_x_buff *x, int index, bool (*fn)(void *arg, const char *name), void *arg)
{
	char name[MAXATOMLEN_UTF8];
	int n;
	bool ok = ei_decode_list_header(x->buff, &index, &n) == 0;
	for (int i = 0; ok && i < n; i++) {
		ok = ei_decode_atom_as(x->buff, &index, name, sizeof name, ERLANG_UTF8, NULL, NULL) == 0;
		if (ok && !is_command(name) && !fn(arg, name))
			break;
	}
	return ok;
}

bool
node_peers(const struct node_conf *c, bool hidden, bool (*fn)(void *arg, const char *name), void *arg, struct why *why)
{
	ei_x_buff args, result;
	struct nodelink *n = node_connect(c, why);
	if (!n)
		return false;
	ei_x_new(&args);
	ei_x_new(&result);
	ei_x_encode_list_header(&args, 1);
	ei_x_encode_list_header(&args, 1);
	ei_x_encode_atom(&args, "visible");
	if (hidden) {
		ei_x_encode_list_header(&args, 1);
		ei_x_encode_atom(&args, "hidden");
	}
	ei_x_encode_empty_list(&args);
	ei_x_encode_empty_list(&args);
	bool ok = node_rpc(n, "erlang", "nodes", &args, &result, why);
	if (ok && fn(arg, n->name) && !walk(&result, 0, fn, arg)) {
		why_set(why, "node %s: its list of nodes makes no sense", n->name);
		ok = false;
	}
	ei_x_free(&args);
	ei_x_free(&result);
	node_close(n);
	return ok;
}

bool
node_nodes(struct nodelink *n, bool hidden, bool (*fn)(void *arg, const char *name), void *arg, struct why *why)
{
	ei_x_buff request, reply;
	char tag[MAXATOMLEN];
	int index, arity;
	ei_x_new(&request);
	ei_x_new(&reply);
	ei_x_encode_tuple_header(&request, 2);
	ei_x_encode_atom(&request, "nodes");
	ei_x_encode_atom(&request, hidden ? "hidden" : "visible");
	bool ok = node_request(n, &request, &reply, &index, why);
	if (ok && (ei_decode_tuple_header(reply.buff, &index, &arity) || arity != 2 ||
		      ei_decode_atom(reply.buff, &index, tag) || !walk(&reply, index, fn, arg))) {
		why_set(why, "node %s: its list of nodes makes no sense", n->name);
		ok = false;
	}
	ei_x_free(&request);
	ei_x_free(&reply);
	return ok;
}
