/* The commands of the node: one row of the table each. */
#include "port/port.h"

#include "api/handle.h"
#include "node/cluster.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
add_ok(ei_x_buff *out)
{
	ei_x_encode_atom(out, "ok");
}

/* {error, {dtrace, Where, Message}}; Where is the command, or {Line, Column} of the program. */
static void
add_error(struct port *p, ei_x_buff *out, const char *where, const char *message)
{
	const struct et_diag *d = message ? NULL : et_errdiag(p->h);
	if (!message)
		message = et_errmsg(p->h, et_errno(p->h));
	size_t len = strlen(message);
	while (len && message[len - 1] == '\n')
		len--;
	ei_x_encode_tuple_header(out, 2);
	ei_x_encode_atom(out, "error");
	ei_x_encode_tuple_header(out, 3);
	ei_x_encode_atom(out, "dtrace");
	if (d && d->line) {
		ei_x_encode_tuple_header(out, 2);
		ei_x_encode_ulong(out, d->line);
		ei_x_encode_ulong(out, d->col);
	} else
		ei_x_encode_atom(out, where);
	term_text(p, out, message, len);
}

static void
answer(struct port *p, ei_x_buff *out, const char *where, int rc)
{
	if (rc == 0)
		add_ok(out);
	else
		add_error(p, out, where, NULL);
}

/* -- the way to the agent --------------------------------------------------------------------------------------------
 */

static bool
send_request(struct nodelink *n, unsigned long ref, const ei_x_buff *request)
{
	struct port *p = n->way_arg;
	ei_x_buff x;
	if (ei_x_new_with_version(&x) < 0)
		return false;
	ei_x_encode_tuple_header(&x, 3);
	ei_x_encode_atom(&x, "request");
	ei_x_encode_ulong(&x, ref);
	ei_x_append(&x, request);
	bool ok = packet_write(p->out, &x);
	ei_x_free(&x);
	return ok;
}

static bool
receive(struct nodelink *n, ei_x_buff *x, int *index)
{
	struct port *p = n->way_arg;
	return packet_read(p->in, x, index);
}

static const struct node_way over_port = {send_request, receive};

/* {attach, Node, OsPid}: attaches to the node itself, whose agent is reached through the port. */
static void
do_attach(struct port *p, const ei_x_buff *in, int index, ei_x_buff *out)
{
	long long os_pid;
	char *name = term_to_text(in, &index);
	int fd = -1;
	if (!name || ei_decode_longlong(in->buff, &index, &os_pid) || (fd = dup(p->in)) < 0)
		add_error(p, out, "attach", "the arguments make no sense");
	else {
		struct nodelink *n = node_over(&over_port, p, fd, name, os_pid);
		if (!n)
			close(fd);
		if (n)
			answer(p, out, "attach", api_attach(p->h, n));
		else
			add_error(p, out, "attach", "out of memory");
	}
	free(name);
}

static void
free_texts(char **texts, int n)
{
	for (int i = 0; i < n; i++)
		free(texts[i]);
	free(texts);
}

/* Decodes a list of texts onto the heap, with their number in *n. Returns NULL if it is not such a list. */
static char **
decode_texts(const ei_x_buff *in, int *index, int *n)
{
	int len;
	*n = 0;
	if (ei_decode_list_header(in->buff, index, &len))
		return NULL;
	char **texts = calloc((size_t)len + 1, sizeof *texts);
	for (; texts && *n < len; ++*n)
		if (!(texts[*n] = term_to_text(in, index))) {
			free_texts(texts, *n);
			return NULL;
		}
	if (len)
		ei_skip_term(in->buff, index); /* the tail */
	return texts;
}

/* {connect, Node, Cookie}: attaches to another node, as `erltrace -N` does. If the cookie is "", it is that of
 * ~/.erlang.cookie. */
static void
do_connect(struct port *p, const ei_x_buff *in, int index, ei_x_buff *out)
{
	char *name = term_to_text(in, &index), *cookie = term_to_text(in, &index);
	if (!name || !cookie)
		add_error(p, out, "connect", "a node is an atom or text, and so is its cookie");
	else
		answer(p, out, "connect", et_attach(p->h, name, *cookie ? cookie : NULL));
	free(name);
	free(cookie);
}

/* {connect_all, [Node], Cookie, Join}: attaches to several nodes, as `erltrace -N a -N b` does. Join is the option of
 * that name. */
static void
do_connect_all(struct port *p, const ei_x_buff *in, int index, ei_x_buff *out)
{
	int n = 0;
	char **names = decode_texts(in, &index, &n);
	char *cookie = names ? term_to_text(in, &index) : NULL, *join = cookie ? term_to_text(in, &index) : NULL;
	if (!join)
		add_error(p, out, "connect", "nodes are a list of atoms or texts, and their cookie is one");
	else
		answer(p, out, "connect",
		    et_setopt(p->h, "join", join) != 0
			? -1
			: et_attach_nodes(p->h, (const char *const *)names, (unsigned)n, *cookie ? cookie : NULL));
	if (names)
		free_texts(names, n);
	free(cookie);
	free(join);
}

/* Tells the agents of other nodes, and the distribution, that we are still there. */
static void
do_alive(struct port *p, const ei_x_buff *in, int index, ei_x_buff *out)
{
	struct why why = {""};
	ei_x_buff reply;
	(void)in;
	if (p->h->cluster) {
		cluster_alive(p->h->cluster);
		add_ok(out);
		return;
	}
	if (!p->h->node || ei_x_new(&reply) < 0) {
		add_error(p, out, "alive", "there is no node");
		return;
	}
	if (node_command(p->h->node, "alive", &reply, &index, &why))
		add_ok(out);
	else
		add_error(p, out, "alive", why.text);
	ei_x_free(&reply);
}

/* -- before tracing --------------------------------------------------------------------------------------------------
 */

/* {mode, binaries | alerts | zdefs | cpp} */
static void
do_mode(struct port *p, const ei_x_buff *in, int index, ei_x_buff *out)
{
	char *mode = term_to_text(in, &index);
	if (mode && strcmp(mode, "binaries") == 0)
		p->binaries = true;
	else if (mode && strcmp(mode, "alerts") == 0)
		p->alerts = true;
	else if (mode && strcmp(mode, "zdefs") == 0)
		p->cflags |= ET_C_ZDEFS;
	else if (mode && strcmp(mode, "cpp") == 0)
		p->cflags |= ET_C_CPP;
	free(mode);
	add_ok(out);
}

/* {setopt, Name, Value}; the value true means none */
static void
do_setopt(struct port *p, const ei_x_buff *in, int index, ei_x_buff *out)
{
	char *name = term_to_text(in, &index), *value = term_to_text(in, &index);
	if (!name || !value)
		add_error(p, out, "setopt", "an option is a name and a value: atoms, numbers or text");
	else
		answer(p, out, "setopt", et_setopt(p->h, name, strcmp(value, "true") == 0 ? NULL : value));
	free(name);
	free(value);
}

/* {compile, Text, Arguments}: $1 is the first of Arguments */
static void
do_compile(struct port *p, const ei_x_buff *in, int index, ei_x_buff *out)
{
	int n = 0;
	char *text = term_to_text(in, &index), **args = decode_texts(in, &index, &n);
	const char **argv = calloc((size_t)n + 2, sizeof *argv);
	if (!text || !args || !argv)
		add_error(p, out, "compile", "a program is text without NUL characters");
	else {
		argv[0] = "erltrace";
		for (int i = 0; i < n; i++)
			argv[i + 1] = args[i];
		struct et_prog *prog = et_program_strcompile(p->h, text, ET_PROBESPEC_NAME, p->cflags, n + 1, argv);
		answer(p, out, "compile", prog ? et_program_exec(p->h, prog, NULL) : -1);
	}
	free(text);
	if (args)
		free_texts(args, n);
	free(argv);
}

struct listing {
	struct port *p;
	ei_x_buff *out;
};

static int
on_probe(struct et *h, const struct et_probe *probe, void *arg)
{
	struct listing *l = arg;
	(void)h;
	ei_x_encode_list_header(l->out, 1);
	term_probe(l->p, l->out, probe);
	return 0;
}

/* {list, Description}; "" means all */
static void
do_list(struct port *p, const ei_x_buff *in, int index, ei_x_buff *out)
{
	struct listing l = {p, out};
	char *desc = term_to_text(in, &index);
	int start = out->index;
	ei_x_encode_tuple_header(out, 2);
	ei_x_encode_atom(out, "ok");
	if (!desc || et_probe_iter(p->h, *desc ? desc : NULL, ET_PROBESPEC_NAME, on_probe, &l) < 0) {
		out->index = start;
		add_error(p, out, "list", desc ? NULL : "a probe description is text without NUL characters");
	} else
		ei_x_encode_empty_list(out);
	free(desc);
}

/* -- tracing ---------------------------------------------------------------------------------------------------------
 */

static void
do_go(struct port *p, const ei_x_buff *in, int index, ei_x_buff *out)
{
	(void)in;
	(void)index;
	int rc = et_go(p->h);
	p->going |= rc == 0;
	answer(p, out, "go", rc);
}

/* Refuses a command that needs tracing to have begun. */
static bool
is_going(struct port *p, ei_x_buff *out, const char *where)
{
	if (!p->going)
		add_error(p, out, where, "tracing was not started");
	return p->going;
}

static void
do_consume(struct port *p, const ei_x_buff *in, int index, ei_x_buff *out)
{
	(void)in;
	(void)index;
	if (!is_going(p, out, "consume"))
		return;
	if (consume_turn(p) != 0)
		add_error(p, out, "consume", NULL);
	else
		consume_take(p, out);
}

static const char *
state_name(struct port *p)
{
	switch (et_status(p->h)) {
	case ET_STATUS_OKAY:
		return "running";
	case ET_STATUS_EXITED:
		return "exited";
	case ET_STATUS_FILLED:
		return "filled";
	case ET_STATUS_STOPPED:
		return "stopped";
	default:
		return "open";
	}
}

/* tick: does what is due. Result: {ok, State, RecordsWaiting} */
static void
do_tick(struct port *p, const ei_x_buff *in, int index, ei_x_buff *out)
{
	(void)in;
	(void)index;
	if (consume_turn(p) != 0) {
		add_error(p, out, "work", NULL);
		return;
	}
	ei_x_encode_tuple_header(out, 3);
	add_ok(out);
	ei_x_encode_atom(out, p->done && et_status(p->h) == ET_STATUS_OKAY ? "stopped" : state_name(p));
	ei_x_encode_ulong(out, p->nrecords);
}

/* {walk, [names | keep | {only, [Name]}]} */
static void
do_walk(struct port *p, const ei_x_buff *in, int index, ei_x_buff *out)
{
	struct walk_opts o = {0};
	int n = 0, arity;
	bool ok = ei_decode_list_header(in->buff, &index, &n) == 0;
	for (int i = 0; ok && i < n; i++) {
		char tag[MAXATOMLEN] = "";
		int only = 0;
		if (ei_decode_tuple_header(in->buff, &index, &arity) == 0) {
			ok = arity == 2 && !o.only && !ei_decode_atom(in->buff, &index, tag) &&
			     strcmp(tag, "only") == 0 && (o.only = decode_texts(in, &index, &only));
			if (ok)
				o.nonly = (unsigned)only;
		} else if (ei_decode_atom(in->buff, &index, tag))
			ok = false;
		else if (strcmp(tag, "names") == 0)
			o.named = true;
		else if (strcmp(tag, "keep") == 0)
			o.keep = true;
		else
			ok = false;
	}
	if (!ok)
		add_error(p, out, "walk", "options are names, keep and, once, {only, [Name]}");
	else if (is_going(p, out, "walk") && (consume_turn(p) != 0 || walk_take(p, &o, out) != 0))
		add_error(p, out, "walk", NULL);
	if (o.only)
		free_texts(o.only, (int)o.nonly);
}

static void
do_aggclear(struct port *p, const ei_x_buff *in, int index, ei_x_buff *out)
{
	(void)in;
	(void)index;
	if (is_going(p, out, "aggclear"))
		answer(p, out, "aggclear", et_aggregate_snap(p->h) ? -1 : et_aggregate_clear(p->h));
}

/* What was recorded, also by END, waits for consume and walk. */
static void
do_stop(struct port *p, const ei_x_buff *in, int index, ei_x_buff *out)
{
	(void)in;
	(void)index;
	if (is_going(p, out, "stop"))
		answer(p, out, "stop", et_stop(p->h) != 0 ? -1 : consume_turn(p));
}

/* {ok, State, ExitStatus, RecordsWaiting} */
static void
do_status(struct port *p, const ei_x_buff *in, int index, ei_x_buff *out)
{
	(void)in;
	(void)index;
	ei_x_encode_tuple_header(out, 4);
	add_ok(out);
	ei_x_encode_atom(out, state_name(p));
	ei_x_encode_long(out, et_exit_status(p->h));
	ei_x_encode_ulong(out, p->nrecords);
}

static void
do_close(struct port *p, const ei_x_buff *in, int index, ei_x_buff *out)
{
	(void)in;
	(void)index;
	et_close(p->h);
	p->h = NULL;
	p->closed = true;
	add_ok(out);
}

static const struct {
	const char *name;
	int args; /* of the tuple {Name, …}; 0 for an atom */
	void (*fn)(struct port *p, const ei_x_buff *in, int index, ei_x_buff *out);
} commands[] = {
    {"attach", 2, do_attach},
    {"connect", 2, do_connect},
    {"connect_all", 3, do_connect_all},
    {"alive", 0, do_alive},
    {"mode", 1, do_mode},
    {"setopt", 2, do_setopt},
    {"compile", 2, do_compile},
    {"list", 1, do_list},
    {"go", 0, do_go},
    {"consume", 0, do_consume},
    {"tick", 0, do_tick},
    {"walk", 1, do_walk},
    {"aggclear", 0, do_aggclear},
    {"stop", 0, do_stop},
    {"status", 0, do_status},
    {"close", 0, do_close},
};

void
command(struct port *p, const ei_x_buff *in, int index, ei_x_buff *out)
{
	char name[MAXATOMLEN] = "";
	int arity = 0;
	if (ei_decode_tuple_header(in->buff, &index, &arity) == 0)
		arity--;
	else
		arity = 0;
	if (ei_decode_atom(in->buff, &index, name) == 0)
		for (unsigned i = 0; i < sizeof commands / sizeof *commands; i++)
			if (strcmp(commands[i].name, name) == 0 && commands[i].args == arity) {
				commands[i].fn(p, in, index, out);
				return;
			}
	add_error(p, out, "port", "the command does not know this request");
}
