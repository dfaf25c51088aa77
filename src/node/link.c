/* Talks to a node: remote calls, and requests to the agent with their answers. */
#include "base/clock.h"
#include "node/frame.h"
#include "node/node.h"
#include "node/term.h"

#include <ei_connect.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool
lost(struct nodelink *n, struct why *why)
{
	if (n->fd >= 0)
		close(n->fd);
	n->fd = -1;
	n->attached = false;
	why_set(why, "the connection to node %s was lost", n->name);
	return false;
}

/* ei takes an interrupted system call for the end of the connection, so signals are blocked while a message is sent. */
static void
hold_signals(sigset_t *before)
{
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, before);
}

/* Names of commands are reused, so a message may be for the previous command of this name. Checks {2 or 12, _, To,
 * …}; the control term has been validated. */
static bool
is_for_us(struct nodelink *n, const ei_x_buff *x)
{
	int at = 1, version, arity;
	long kind;
	erlang_pid to;
	if (ei_decode_version(x->buff, &at, &version) || ei_decode_tuple_header(x->buff, &at, &arity) || arity < 3 ||
	    ei_decode_long(x->buff, &at, &kind))
		return false;
	if (kind != ERL_SEND && kind != ERL_SEND_TT)
		return true;
	return ei_skip_term(x->buff, &at) == 0 && ei_decode_pid(x->buff, &at, &to) == 0 &&
	       to.creation == ei_self(&n->ec)->creation;
}

/* Receives the next message for us, validated. *index is behind its version byte. */
static bool
receive(struct nodelink *n, ei_x_buff *x, int *index, struct why *why)
{
	if (n->way)
		return n->way->receive(n, x, index) || lost(n, why);
	uint64_t began = mono_ms(), deadline = began + n->timeout;
	bool attached = n->attached;
	enum received got;
	do {
		got = frame_receive(n->fd, x, index, deadline, n->sock.stop);
	} while (got == FRAME_OTHER || (got == FRAME_MESSAGE && !is_for_us(n, x)));
	if (got == FRAME_MESSAGE)
		return true;
	lost(n, why);
	if (got == FRAME_LATE && node_stopped(n) && attached)
		why_set(why, "node %s did not answer within %u ms", n->name, (unsigned)(mono_ms() - began));
	else if (got == FRAME_LATE && node_stopped(n))
		why_set(why, "node %s: attaching was interrupted; the node did not answer", n->name);
	else if (got == FRAME_LATE)
		why_set(why, "node %s did not answer within %u ms", n->name, n->timeout);
	else if (got == FRAME_BAD)
		why_set(why, "node %s sent what no node sends; the connection was closed", n->name);
	return false;
}

bool
node_rpc(struct nodelink *n, const char *module, const char *function, const ei_x_buff *args, ei_x_buff *result,
    struct why *why)
{
	char tag[MAXATOMLEN];
	int index, arity;
	if (n->fd < 0)
		return lost(n, why);
	/* ei_rpc_to takes the arguments as an encoded list */
	if (ei_rpc_to(&n->ec, n->fd, (char *)(uintptr_t)module, (char *)(uintptr_t)function, args->buff, args->index) <
	    0)
		return lost(n, why);
	for (;;) {
		if (!receive(n, result, &index, why))
			return false;
		int start = index;
		if (!ei_decode_tuple_header(result->buff, &index, &arity) && arity == 2 &&
		    !ei_decode_atom(result->buff, &index, tag) && strcmp(tag, "rex") == 0) {
			/* move the result to the front, for the caller to decode from 0 */
			memmove(result->buff, result->buff + index, (size_t)(result->buffsz - index));
			return true;
		}
		index = start;
	}
}

/* {error, Text}: puts the text into `why`. */
static bool
is_error(const ei_x_buff *x, int index, struct why *why)
{
	char tag[MAXATOMLEN], *text;
	int arity;
	if (ei_decode_tuple_header(x->buff, &index, &arity) || arity != 2 || ei_decode_atom(x->buff, &index, tag) ||
	    strcmp(tag, "error") != 0)
		return false;
	text = term_read_text(x, &index);
	why_set(why, "%s", text ? text : "the node refused");
	free(text);
	return true;
}

/* To the agent: {erltrace, From, Ref, Request}. */
static bool
send_request(struct nodelink *n, unsigned long ref, const ei_x_buff *request)
{
	ei_x_buff x;
	if (n->way)
		return n->way->send(n, ref, request);
	if (ei_x_new_with_version(&x) < 0)
		return false;
	ei_x_encode_tuple_header(&x, 4);
	ei_x_encode_atom(&x, "erltrace");
	ei_x_encode_pid(&x, ei_self(&n->ec));
	ei_x_encode_ulong(&x, ref);
	ei_x_append(&x, request);
	sigset_t before;
	hold_signals(&before);
	int sent = ei_send_tmo(n->fd, &n->agent, x.buff, x.index, n->timeout);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	ei_x_free(&x);
	return sent >= 0;
}

/*
 * Makes the node tell us when the agent ends, however that happens: a remote call waits for an answer that the agent
 * never gives, and returns, {rex, _}, when the agent is gone. From here on no other remote call is made.
 */
bool
node_watch(struct nodelink *n, struct why *why)
{
	ei_x_buff args;
	if (ei_x_new(&args) < 0) {
		why_set(why, "out of memory");
		return false;
	}
	ei_x_encode_list_header(&args, 3);
	ei_x_encode_pid(&args, &n->agent);
	ei_x_encode_atom(&args, "erltrace_watch");
	ei_x_encode_atom(&args, "infinity");
	ei_x_encode_empty_list(&args);
	int sent = ei_rpc_to(
	    &n->ec, n->fd, (char *)(uintptr_t) "gen_server", (char *)(uintptr_t) "call", args.buff, args.index);
	ei_x_free(&args);
	return sent >= 0 || lost(n, why);
}

/* {rex, {badrpc, {'EXIT', {Reason, _}}}}, where Reason is {erltrace, Text} if the agent ended by itself. Otherwise
 * it is an atom, or a tuple that begins with one: killed, {undef, Stack} … */
static bool
is_end_of_agent(struct nodelink *n, const ei_x_buff *x, int index, struct why *why)
{
	char tag[MAXATOMLEN], reason[MAXATOMLEN] = "unknown", *text = NULL;
	int arity, at;
	if (ei_decode_tuple_header(x->buff, &index, &arity) || arity != 2 || ei_decode_atom(x->buff, &index, tag) ||
	    strcmp(tag, "rex") != 0)
		return false;
	lost(n, why);
	if (!ei_decode_tuple_header(x->buff, &index, &arity) && arity == 2 && !ei_decode_atom(x->buff, &index, tag) &&
	    !ei_decode_tuple_header(x->buff, &index, &arity) && arity == 2 && !ei_decode_atom(x->buff, &index, tag) &&
	    !ei_decode_tuple_header(x->buff, &index, &arity) && arity == 2) {
		at = index;
		if (ei_decode_tuple_header(x->buff, &at, &arity))
			at = index, arity = 0;
		if (!ei_decode_atom(x->buff, &at, tag)) {
			memcpy(reason, tag, sizeof reason);
			if (arity == 2 && strcmp(tag, "erltrace") == 0)
				text = term_read_text(x, &at);
		}
	}
	if (text)
		why_set(why, "node %s ended the tracing: %s", n->name, text);
	else
		why_set(why, "node %s ended the tracing: the agent there has died (%s)", n->name, reason);
	free(text);
	return true;
}

bool
node_request(struct nodelink *n, const ei_x_buff *request, ei_x_buff *reply, int *index, struct why *why)
{
	int arity;
	unsigned long ref = ++n->refs, got;
	if (n->fd < 0 || !n->attached)
		return lost(n, why);
	if (!send_request(n, ref, request))
		return lost(n, why);
	do {
		if (!receive(n, reply, index, why))
			return false;
		if (!n->way && is_end_of_agent(n, reply, *index, why))
			return false;
	} while (ei_decode_tuple_header(reply->buff, index, &arity) || arity != 2 ||
		 ei_decode_ulong(reply->buff, index, &got) || got != ref);
	return !is_error(reply, *index, why);
}

bool
node_command(struct nodelink *n, const char *atom, ei_x_buff *reply, int *index, struct why *why)
{
	ei_x_buff x;
	if (ei_x_new(&x) < 0) {
		why_set(why, "out of memory");
		return false;
	}
	ei_x_encode_atom(&x, atom);
	bool ok = node_request(n, &x, reply, index, why);
	ei_x_free(&x);
	return ok;
}

struct nodelink *
node_over(const struct node_way *way, void *arg, int fd, const char *name, int64_t os_pid)
{
	struct nodelink *n = calloc(1, sizeof *n);
	if (!n)
		return NULL;
	n->way = way;
	n->way_arg = arg;
	n->fd = fd;
	n->slot = -1;
	n->is_local = n->attached = true;
	n->os_pid = os_pid;
	snprintf(n->name, sizeof n->name, "%s", name);
	return n;
}

void
node_close(struct nodelink *n)
{
	struct why why;
	ei_x_buff reply;
	int index;
	if (!n)
		return;
	if (n->attached && ei_x_new(&reply) == 0) {
		node_command(n, "close", &reply, &index, &why);
		ei_x_free(&reply);
	}
	if (n->fd >= 0)
		close(n->fd);
	if (n->slot >= 0)
		close(n->slot);
	for (unsigned long i = 0; i < n->nsymbols; i++)
		free(n->symbols[i]);
	free(n->symbols);
	free(n);
}
