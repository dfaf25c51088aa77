/*
 * Any bytes as what a node sends, from attaching to the end: whole or half, twice, too late, in another version's form.
 * The command must not crash, hang or use more memory than the bytes explain.
 *
 * Byte 0: bit 0, the agent has been started already; bits 1 and 2, the script. Then pieces: a byte of how, two of
 * length (little-endian), as many bytes. how 0  bytes of the connection as they are 1  the message {N, Bytes}: the
 * answer to request N, counted from 1 2  the message {rex, Bytes}: the answer to a remote call 3  bytes of a message,
 * in a frame 4  as 1, but the number is that of the last one: twice 5  a tick
 *
 * The seeds come from seeds_node.escript. When not one talk gets as far as tracing they are of another version, and
 * most of what is to be tested is not: that is a failure too. With SAY in the environment each talk tells how it ended.
 */
#include "api/handle.h"
#include "node/node.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const scripts[] = {
    "erlang*:::message-send { @[copyinstr(arg0), arg2] = count(); @s[stack()] = quantize(arg2); } END { printa(@); }",
    "erlang*:::process-spawn { printf(\"%s %d\", copyinstr(arg0), arg1); stack(); g[arg1] = 1; } ERROR { trace(arg4); }",
    "erlang*:lists:*:entry { @ = lquantize(arg0, 0, 9, 3); trace(probefunc); } tick-1s { printa(@); clear(@); }",
    "BEGIN { x = 1; } erlang*:::process-exit { @[ustack()] = avg(x); tracemem(arg0, 8); } END { trace(x); }",
};

/* What the command sends is dropped: ei sends only on connections that it made itself, and these functions replace
 * its own. */
int
ei_send_tmo(int fd, erlang_pid *to, char *message, int len, unsigned ms)
{
	(void)fd;
	(void)to;
	(void)message;
	(void)len;
	(void)ms;
	return 0;
}

int
ei_rpc_to(ei_cnode *ec, int fd, char *module, char *function, const char *arguments, int len)
{
	(void)ec;
	(void)fd;
	(void)module;
	(void)function;
	(void)arguments;
	(void)len;
	return 0;
}

static unsigned tracing; /* talks that got as far as tracing */

static void
check_reach(void)
{
	if (tracing)
		return;
	fputs("no talk came as far as tracing: make new seeds with fuzz/seeds_node.escript\n", stderr);
	_exit(1);
}

static void
frame(ei_x_buff *out, const ei_x_buff *message, const erlang_pid *to)
{
	ei_x_buff c;
	ei_x_new_with_version(&c);
	ei_x_encode_tuple_header(&c, 3);
	ei_x_encode_long(&c, ERL_SEND);
	ei_x_encode_atom(&c, "");
	ei_x_encode_pid(&c, to);
	uint32_t len = (uint32_t)(1 + c.index + message->index);
	char head[5] = {(char)(len >> 24), (char)(len >> 16), (char)(len >> 8), (char)len, ERL_PASS_THROUGH};
	ei_x_append_buf(out, head, sizeof head);
	ei_x_append(out, &c);
	ei_x_append(out, message);
	ei_x_free(&c);
}

static void
piece(ei_x_buff *out, unsigned how, const char *bytes, size_t len, unsigned long *ref, const erlang_pid *to)
{
	ei_x_buff m;
	if (how == 0) {
		ei_x_append_buf(out, bytes, (int)len);
		return;
	}
	if (how == 5) {
		ei_x_append_buf(out, "\0\0\0", 4);
		return;
	}
	if (how == 3)
		ei_x_new(&m);
	else {
		ei_x_new_with_version(&m);
		ei_x_encode_tuple_header(&m, 2);
		if (how == 2)
			ei_x_encode_atom(&m, "rex");
		else
			ei_x_encode_ulong(&m, how == 4 ? *ref : ++*ref);
	}
	ei_x_append_buf(&m, bytes, (int)len);
	frame(out, &m, to);
	ei_x_free(&m);
}

/* The folder beside this program in the build folder. Its modules are sent to a node that has none. */
static void
find_application(char *folder, size_t size)
{
	char self[4096] = "";
	if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
		abort();
	for (int i = 0; i < 2 && strrchr(self, '/'); i++)
		*strrchr(self, '/') = '\0';
	snprintf(folder, size, "%.4000s/otp/erltrace", self);
}

/* Makes a link whose other end has already sent everything. */
static struct nodelink *
link_to(const uint8_t *data, size_t size, bool attached, int *other)
{
	int pair[2];
	ei_x_buff out;
	unsigned long ref = 0;
	struct nodelink *n = calloc(1, sizeof *n);
	if (!n || ei_connect_xinit(&n->ec, "y", "fuzz", "fuzz@y", NULL, "", 1) < 0)
		abort();
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		abort();
	ei_x_new(&out);
	while (size >= 3) {
		size_t len = data[1] | (size_t)data[2] << 8;
		if (len > size - 3)
			len = size - 3;
		piece(&out, data[0] % 6, (const char *)data + 3, len, &ref, ei_self(&n->ec));
		data += 3 + len;
		size -= 3 + len;
	}
	if (send(pair[1], out.buff, (size_t)out.index, MSG_DONTWAIT) < 0 && out.index)
		abort();
	ei_x_free(&out);
	shutdown(pair[1], SHUT_WR);
	*other = pair[1];
	n->fd = pair[0];
	n->slot = -1;
	n->timeout = 20;
	n->is_local = true;
	n->attached = attached;
	snprintf(n->name, sizeof n->name, "x@y");
	find_application(n->otp, sizeof n->otp);
	snprintf(n->agent.node, sizeof n->agent.node, "x@y");
	return n;
}

static void
trace(struct nodelink *n, const char *script, FILE *nowhere)
{
	int err;
	struct et *h = et_open(ET_VERSION, &err);
	et_setopt(h, "bufsize", "64k");
	et_setopt(h, "aggsize", "64k");
	if (api_attach(h, n) == 0) {
		struct et_prog *p = et_program_strcompile(h, script, ET_PROBESPEC_NAME, 0, 0, NULL);
		if (p && et_program_exec(h, p, NULL) == 0 && et_go(h) == 0) {
			tracing++;
			for (int i = 0; i < 20 && et_work(h, nowhere, NULL, NULL, NULL) == ET_WORKSTATUS_OKAY; i++)
				;
		}
		if (getenv("SAY"))
			fprintf(stderr, "%u: %s\n", tracing, et_errmsg(h, et_errno(h)));
		et_stop(h);
		et_work(h, nowhere, NULL, NULL, NULL);
		et_aggregate_print(h, nowhere, NULL, NULL);
	}
	et_close(h);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *nowhere;
	struct why why = {""};
	int other;
	if (!nowhere) {
		ei_init();
		nowhere = fopen("/dev/null", "we");
		atexit(check_reach);
	}
	if (size < 1)
		return 0;
	unsigned how = data[0];
	struct nodelink *n = link_to(data + 1, size - 1, how & 1, &other);
	if (how & 1 || node_attach(n, &why))
		trace(n, scripts[how >> 1 & 3], nowhere);
	else
		node_close(n);
	if (getenv("SAY") && !(how & 1))
		fprintf(stderr, "attaching: %s\n", why.text);
	close(other);
	return 0;
}
