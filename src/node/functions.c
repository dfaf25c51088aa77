/* Which functions a node has: the erlang provider asks. */
#include "node/node.h"
#include "node/term.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* {ok, [{Module, Function}]} */
static bool
walk(const ei_x_buff *x, int index, bool (*fn)(void *arg, const char *module, const char *function), void *arg)
{
	char tag[MAXATOMLEN];
	int arity, n;
	if (ei_decode_tuple_header(x->buff, &index, &arity) || ei_decode_atom(x->buff, &index, tag) ||
	    ei_decode_list_header(x->buff, &index, &n))
		return false;
	bool ok = true, go_on = true;
	for (int i = 0; ok && go_on && i < n; i++) {
		char *module = NULL, *function = NULL;
		ok = !ei_decode_tuple_header(x->buff, &index, &arity) && arity == 2 &&
		     (module = term_read_text(x, &index)) && (function = term_read_text(x, &index));
		if (ok)
			go_on = fn(arg, module, function);
		free(module);
		free(function);
	}
	return ok;
}

bool
node_functions(struct nodelink *n, const char *module, const char *function,
    bool (*fn)(void *arg, const char *module, const char *function), void *arg, struct why *why)
{
	ei_x_buff request, reply;
	int index;
	ei_x_new(&request);
	ei_x_new(&reply);
	ei_x_encode_tuple_header(&request, 3);
	ei_x_encode_atom(&request, "functions");
	ei_x_encode_binary(&request, module, (int)strlen(module));
	ei_x_encode_binary(&request, function, (int)strlen(function));
	bool ok = node_request(n, &request, &reply, &index, why);
	if (ok && !walk(&reply, index, fn, arg)) {
		why_set(why, "node %s: its list of functions makes no sense", n->name);
		ok = false;
	}
	ei_x_free(&request);
	ei_x_free(&reply);
	return ok;
}

/* Asks the agent: {symbol, Number}, answered by the text. */
static char *
ask_symbol(struct nodelink *n, unsigned long number)
{
	struct why why;
	char *text = NULL;
	ei_x_buff request, reply;
	int index;
	if (ei_x_new(&request) < 0)
		return NULL;
	if (ei_x_new(&reply) == 0) {
		ei_x_encode_tuple_header(&request, 2);
		ei_x_encode_atom(&request, "symbol");
		ei_x_encode_ulong(&request, number);
		if (node_request(n, &request, &reply, &index, &why))
			text = term_read_text(&reply, &index);
		ei_x_free(&reply);
	}
	ei_x_free(&request);
	return text;
}

const char *
node_symbol(struct nodelink *n, uint64_t addr)
{
	unsigned long number = (unsigned long)DIF_MFA_NUMBER(DIF_OFFSET(addr));
	unsigned long line = (unsigned long)DIF_MFA_LINE(DIF_OFFSET(addr));
	if (DIF_REGION(addr) != DIF_R_MFA)
		return NULL;
	if (number >= n->nsymbols) {
		unsigned long size = number + 256;
		char **grown = realloc(n->symbols, size * sizeof *grown);
		if (!grown)
			return NULL;
		memset(grown + n->nsymbols, 0, (size - n->nsymbols) * sizeof *grown);
		n->symbols = grown;
		n->nsymbols = size;
	}
	if (!n->symbols[number])
		n->symbols[number] = ask_symbol(n, number);
	if (!n->symbols[number] || !line)
		return n->symbols[number];
	snprintf(n->frame, sizeof n->frame, "%s:%lu", n->symbols[number], line);
	return n->frame;
}
