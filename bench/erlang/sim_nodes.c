/*
 * Many nodes that are none: each is reached through epmd and the distribution, answers the command as an agent does,
 * and sends the bytes of a real agent's snapshot (cluster_bytes.erl) again and again. What it takes to collect from so
 * many nodes can be measured with it on one machine.
 *
 *   sim_nodes COUNT COOKIE FILE MS [distinct]
 *
 * Nodes sim1, sim2, …; each says "up", and "go" when tracing begins there. A snapshot has something at most every MS
 * milliseconds. distinct: each node has keys of its own, which needs keys that begin with n0000. If a node is to merge
 * for others, it sends what that would be: as many bytes as one has, or with distinct those of all.
 */
#include "node/protocol.h"

#include <ei.h>
#include <ei_connect.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *cookie;
static char *snapshot;
static long size, every;
static int distinct;

struct sim {
	unsigned number;
	ei_cnode ec;
	char name[64];
	int fd;
	char *bytes;
	double sent;
};
static struct sim *sims;

static double
now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void
key_number(ei_x_buff *x, const char *key, long value)
{
	ei_x_encode_atom(x, key);
	ei_x_encode_long(x, value);
}

static void
put_status(ei_x_buff *x)
{
	ei_x_encode_map_header(x, 8);
	ei_x_encode_atom(x, "exiting");
	ei_x_encode_boolean(x, 0);
	key_number(x, "exit_status", 0);
	ei_x_encode_atom(x, "filled");
	ei_x_encode_boolean(x, 0);
	key_number(x, "errors", 0);
	key_number(x, "spent", 0);
	key_number(x, "nodes", 0);
	ei_x_encode_atom(x, "drops");
	ei_x_encode_map_header(x, 0);
	ei_x_encode_atom(x, "ended");
	ei_x_encode_binary(x, "", 0);
}

static void
put_ok(ei_x_buff *x)
{
	ei_x_encode_tuple_header(x, 2);
	ei_x_encode_atom(x, "ok");
}

static const char nothing[8] = {1};

static void
put_records(ei_x_buff *x)
{
	ei_x_encode_atom(x, "status");
	put_status(x);
	ei_x_encode_atom(x, "records");
	ei_x_encode_binary(x, nothing, sizeof nothing);
}

static void
put_work(struct sim *s, ei_x_buff *x)
{
	int due = now() - s->sent >= (double)every;
	ei_x_encode_map_header(x, 3);
	put_records(x);
	ei_x_encode_atom(x, "aggregations");
	ei_x_encode_binary(x, due ? s->bytes : nothing, due ? (int)size : (int)sizeof nothing);
	if (due)
		s->sent = now();
}

/* What one answer brings. */
struct merged {
	unsigned long *numbers;
	int n;
	char *bytes;
	size_t len;
};

/* A node's snapshot is the next one, and has something if it is time. */
static void
merge_one(struct merged *m, struct sim *s, unsigned long seen)
{
	m->numbers = realloc(m->numbers, (size_t)(m->n + 1) * sizeof *m->numbers);
	m->numbers[m->n++] = seen + 1;
	if (now() - s->sent < (double)every)
		return;
	s->sent = now();
	if (m->len > sizeof nothing && !distinct)
		return;
	m->bytes = realloc(m->bytes, m->len + (size_t)size);
	memcpy(m->bytes + m->len, s->bytes + sizeof nothing, (size_t)size - sizeof nothing);
	m->len += (size_t)size - sizeof nothing;
}

/* [{Agent, Seen, Below}] */
static void
merge_below(struct merged *m, const char *buff, int *index)
{
	erlang_pid agent;
	unsigned long seen;
	int n = 0, arity;
	if (ei_decode_list_header(buff, index, &n))
		return;
	for (int i = 0; i < n; i++) {
		unsigned number = 0;
		if (ei_decode_tuple_header(buff, index, &arity) || ei_decode_pid(buff, index, &agent) ||
		    ei_decode_ulong(buff, index, &seen) || sscanf(agent.node, "sim%u@", &number) != 1)
			exit(1);
		merge_one(m, &sims[number - 1], seen);
		merge_below(m, buff, index);
	}
	if (n)
		ei_skip_term(buff, index); /* the end of the list */
}

/* {merge, Seen, Ms, Below} */
static void
put_merged(struct sim *s, const char *buff, int index, ei_x_buff *x)
{
	struct merged m = {.bytes = calloc(1, sizeof nothing), .len = sizeof nothing};
	unsigned long seen, ms;
	if (ei_decode_ulong(buff, &index, &seen) || ei_decode_ulong(buff, &index, &ms))
		exit(1);
	merge_one(&m, s, seen);
	merge_below(&m, buff, &index);
	put_ok(x);
	ei_x_encode_map_header(x, 2);
	ei_x_encode_atom(x, "of");
	ei_x_encode_list_header(x, m.n);
	for (int i = 0; i < m.n; i++)
		ei_x_encode_ulong(x, m.numbers[i]);
	ei_x_encode_empty_list(x);
	ei_x_encode_atom(x, "aggregations");
	ei_x_encode_binary(x, m.bytes, (int)m.len);
	free(m.numbers);
	free(m.bytes);
}

/* {ok, [Index]}: a probe has one, however many clauses are bound to it. */
static void
put_indexes(const char *buff, int index, ei_x_buff *x)
{
	unsigned long ids[256], id;
	int n = 0, arity, known = 0;
	char key[MAXATOMLEN];
	ei_decode_list_header(buff, &index, &n);
	ei_x_encode_tuple_header(x, 2);
	ei_x_encode_atom(x, "ok");
	ei_x_encode_list_header(x, n);
	for (int i = 0; i < n && i < 256; i++) {
		ei_decode_map_header(buff, &index, &arity);
		ei_decode_atom(buff, &index, key);
		ei_decode_ulong(buff, &index, &id);
		for (int k = 0; k < 2 * (arity - 1); k++)
			ei_skip_term(buff, &index);
		int at = 0;
		while (at < known && ids[at] != id)
			at++;
		if (at == known)
			ids[known++] = id;
		ei_x_encode_long(x, at);
	}
	ei_x_encode_empty_list(x);
}

static void
answer(struct sim *s, const char *what, const char *buff, int index, ei_x_buff *x)
{
	if (strcmp(what, "open") == 0) {
		put_ok(x);
		ei_x_encode_map_header(x, 1);
		key_number(x, "memory", -1);
	} else if (strcmp(what, "bind") == 0)
		put_indexes(buff, index, x);
	else if (strcmp(what, "start") == 0) {
		put_ok(x);
		ei_x_encode_empty_list(x);
	} else if (strcmp(what, "go") == 0) {
		printf("go\n");
		fflush(stdout);
		put_ok(x);
		ei_x_encode_map_header(x, 2);
		ei_x_encode_atom(x, "notes");
		ei_x_encode_empty_list(x);
		ei_x_encode_atom(x, "ways");
		ei_x_encode_empty_list(x);
	} else if (strcmp(what, "status") == 0)
		put_status(x);
	else if (strcmp(what, "work") == 0)
		put_work(s, x);
	else if (strcmp(what, "records") == 0) {
		ei_x_encode_map_header(x, 2);
		put_records(x);
	} else if (strcmp(what, "merge") == 0)
		put_merged(s, buff, index, x);
	else if (strcmp(what, "fired") == 0)
		ei_x_encode_binary(x, "\1\1\1\1", 4);
	else if (strcmp(what, "functions") == 0) {
		put_ok(x);
		ei_x_encode_list_header(x, 1);
		ei_x_encode_tuple_header(x, 2);
		ei_x_encode_binary(x, "cluster_bytes", 13);
		ei_x_encode_binary(x, "one/2", 5);
		ei_x_encode_empty_list(x);
	} else
		ei_x_encode_atom(x, "ok");
}

/* {From, {call, Module, Function, Arguments, _}} */
static void
call(struct sim *s, const char *buff, int index)
{
	erlang_pid from;
	int arity;
	char tag[MAXATOMLEN], module[MAXATOMLEN], function[MAXATOMLEN];
	ei_x_buff x;
	if (ei_decode_tuple_header(buff, &index, &arity) || ei_decode_pid(buff, &index, &from) ||
	    ei_decode_tuple_header(buff, &index, &arity) || ei_decode_atom(buff, &index, tag) ||
	    ei_decode_atom(buff, &index, module) || ei_decode_atom(buff, &index, function))
		return;
	if (strcmp(module, "gen_server") == 0)
		return; /* waits for the end of the agent */
	ei_x_new_with_version(&x);
	ei_x_encode_tuple_header(&x, 2);
	ei_x_encode_atom(&x, "rex");
	if (strcmp(function, "info") == 0) {
		ei_x_encode_map_header(&x, 2);
		key_number(&x, "protocol", NODE_PROTOCOL);
		key_number(&x, "os_pid", 1);
	} else if (strcmp(function, "start") == 0) {
		put_ok(&x);
		ei_x_encode_pid(&x, ei_self(&s->ec));
	} else if (strcmp(function, "node") == 0)
		ei_x_encode_atom(&x, s->name);
	else
		ei_x_encode_atom(&x, strcmp(function, "is_regular") == 0 ? "true" : "ok");
	ei_send(s->fd, &from, x.buff, x.index);
	ei_x_free(&x);
}

/* {erltrace, From, Ref, Request} */
static void
request(struct sim *s, const char *buff, int index)
{
	erlang_pid from;
	int arity;
	unsigned long ref;
	char what[MAXATOMLEN];
	ei_x_buff x;
	if (ei_decode_tuple_header(buff, &index, &arity) || ei_decode_atom(buff, &index, what) ||
	    ei_decode_pid(buff, &index, &from) || ei_decode_ulong(buff, &index, &ref))
		return;
	if (ei_decode_atom(buff, &index, what) &&
	    (ei_decode_tuple_header(buff, &index, &arity) || ei_decode_atom(buff, &index, what)))
		return;
	ei_x_new_with_version(&x);
	ei_x_encode_tuple_header(&x, 2);
	ei_x_encode_ulong(&x, ref);
	answer(s, what, buff, index, &x);
	ei_send(s->fd, &from, x.buff, x.index);
	ei_x_free(&x);
}

static void
serve(struct sim *s)
{
	erlang_msg msg;
	ei_x_buff x;
	int got, index, version;
	ei_x_new(&x);
	s->sent = 0;
	while ((got = ei_xreceive_msg(s->fd, &msg, &x)) != ERL_ERROR) {
		index = 0;
		if (got != ERL_MSG || ei_decode_version(x.buff, &index, &version))
			continue;
		if (msg.msgtype == ERL_REG_SEND)
			call(s, x.buff, index);
		else
			request(s, x.buff, index);
	}
	ei_x_free(&x);
	close(s->fd);
}

/* Gives the keys the number of the node. */
static void
own_keys(struct sim *s)
{
	static const char mark[] = "n0000";
	char number[8];
	s->bytes = malloc((size_t)size);
	memcpy(s->bytes, snapshot, (size_t)size);
	snprintf(number, sizeof number, "n%04u", s->number % 10000);
	for (char *at = s->bytes, *end = s->bytes + size;
	     distinct && (at = memmem(at, (size_t)(end - at), mark, sizeof mark - 1)); at += sizeof mark - 1)
		memcpy(at, number, sizeof mark - 1);
}

static void *
run(void *arg)
{
	struct sim *s = arg;
	ErlConnect from;
	int port = 0;
	char alive[16];
	snprintf(alive, sizeof alive, "sim%u", s->number);
	own_keys(s);
	if (ei_connect_init(&s->ec, alive, cookie, 1) < 0)
		exit(1);
	snprintf(s->name, sizeof s->name, "%s", ei_thisnodename(&s->ec));
	int listener = ei_listen(&s->ec, &port, 5);
	if (listener < 0 || ei_publish(&s->ec, port) < 0) {
		fprintf(stderr, "sim_nodes: %s cannot be published\n", alive);
		exit(1);
	}
	printf("up\n");
	fflush(stdout);
	while ((s->fd = ei_accept(&s->ec, listener, &from)) >= 0)
		serve(s);
	return NULL;
}

int
main(int argc, char **argv)
{
	if (argc < 5) {
		fprintf(stderr, "sim_nodes COUNT COOKIE FILE MS [distinct]\n");
		return 1;
	}
	unsigned n = (unsigned)atoi(argv[1]);
	cookie = argv[2];
	every = atol(argv[4]);
	distinct = argc > 5;
	FILE *f = fopen(argv[3], "re");
	if (!f || fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) <= 0)
		return 1;
	rewind(f);
	snapshot = malloc((size_t)size);
	if (!snapshot || fread(snapshot, 1, (size_t)size, f) != (size_t)size)
		return 1;
	ei_init();
	sims = calloc(n, sizeof *sims);
	pthread_t thread;
	for (unsigned i = 0; sims && i < n; i++) {
		sims[i].number = i + 1;
		pthread_create(&thread, NULL, run, &sims[i]);
		usleep(1000);
	}
	for (;;)
		pause();
}
