/* The names of processes of a node, and the processes of names: erltrace_names there finds them. */
#include "node/node.h"
#include "node/term.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 256 };

/* {ok, [Name]}, one for each that was asked for; <<>> if unknown. */
static void
walk(const ei_x_buff *x, int index, unsigned n, void (*fn)(void *arg, unsigned i, const char *name), void *arg)
{
	char tag[MAXATOMLEN], name[LONGEST + 1];
	int arity, have, type, size;
	long len;
	if (ei_decode_tuple_header(x->buff, &index, &arity) || arity != 2 || ei_decode_atom(x->buff, &index, tag) ||
	    ei_decode_list_header(x->buff, &index, &have) || have < 0 || (unsigned)have > n)
		return;
	for (int i = 0; i < have; i++) {
		if (ei_get_type(x->buff, &index, &type, &size) || type != ERL_BINARY_EXT || size < 0 ||
		    size > LONGEST || ei_decode_binary(x->buff, &index, name, &len))
			return;
		name[len] = '\0';
		if (name[0])
			fn(arg, (unsigned)i, name);
	}
}

void
node_names(struct nodelink *n, const char *const *pids, unsigned npids,
    void (*fn)(void *arg, unsigned i, const char *name), void *arg)
{
	struct why why;
	ei_x_buff request, reply;
	int index;
	if (ei_x_new(&request) < 0)
		return;
	if (ei_x_new(&reply) == 0) {
		ei_x_encode_tuple_header(&request, 2);
		ei_x_encode_atom(&request, "names");
		for (unsigned i = 0; i < npids; i++) {
			ei_x_encode_list_header(&request, 1);
			ei_x_encode_binary(&request, pids[i], (int)strlen(pids[i]));
		}
		ei_x_encode_empty_list(&request);
		if (node_request(n, &request, &reply, &index, &why))
			walk(&reply, index, npids, fn, arg);
		ei_x_free(&reply);
	}
	ei_x_free(&request);
}

bool
node_find_process(struct nodelink *n, const char *name, char *pid, size_t size, struct why *why)
{
	char tag[MAXATOMLEN], *text = NULL;
	ei_x_buff request, reply;
	int index, arity;
	pid[0] = '\0';
	if (ei_x_new(&request) < 0) {
		why_set(why, "out of memory");
		return false;
	}
	ei_x_new(&reply);
	ei_x_encode_tuple_header(&request, 2);
	ei_x_encode_atom(&request, "process");
	ei_x_encode_binary(&request, name, (int)strlen(name));
	bool asked = node_request(n, &request, &reply, &index, why);
	if (asked && !ei_decode_tuple_header(reply.buff, &index, &arity) && arity == 2 &&
	    !ei_decode_atom(reply.buff, &index, tag))
		text = term_read_text(&reply, &index);
	if (text)
		snprintf(pid, size, "%s", text);
	free(text);
	ei_x_free(&request);
	ei_x_free(&reply);
	if (asked && !*pid)
		why_set(why, "node %s has no process '%s'", n->name, name);
	return *pid != '\0';
}
