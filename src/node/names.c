/* The names of processes of a node: erltrace_names there finds them. */
#include "node/node.h"

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
