/* The loop: reads a command and writes its result, until the node closes the port. */
#include "port/port.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* Children of system() must not hold the port open. */
static bool
is_port(int fd)
{
	int flags = fcntl(fd, F_GETFD);
	return flags >= 0 && fcntl(fd, F_SETFD, flags | FD_CLOEXEC) == 0;
}

/* {Id, Command} */
static bool
one(struct port *p, ei_x_buff *in, ei_x_buff *out)
{
	int index, arity;
	unsigned long id;
	if (!packet_read(p->in, in, &index) || ei_decode_tuple_header(in->buff, &index, &arity) || arity != 2 ||
	    ei_decode_ulong(in->buff, &index, &id))
		return false;
	out->index = 0;
	ei_x_encode_version(out);
	ei_x_encode_tuple_header(out, 3);
	ei_x_encode_atom(out, "reply");
	ei_x_encode_ulong(out, id);
	command(p, in, index, out);
	return packet_write(p->out, out) && !p->closed;
}

/* The terminal belongs to the node: neither its input nor ^C is for us. */
static void
leave_terminal(void)
{
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (nothing >= 0) {
		dup2(nothing, STDIN_FILENO);
		close(nothing);
	}
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGTSTP, SIG_IGN);
}

int
port_main(void)
{
	struct port p = {.in = PORT_IN, .out = PORT_OUT};
	ei_x_buff in = {0}, out;
	int err;
	if (!is_port(p.in) || !is_port(p.out)) {
		fprintf(stderr, "erltrace: --port is for Erlang's open_port with nouse_stdio\n");
		return EXIT_FAILURE;
	}
	leave_terminal();
	p.nowhere = fopen("/dev/null", "we");
	p.h = et_open(ET_VERSION, &err);
	if (!p.nowhere || !p.h || ei_init() != 0 || ei_x_new(&out) < 0 || ei_x_new(&p.records) < 0)
		return EXIT_FAILURE;
	p.records.index = 0;
	consume_handlers(&p);
	while (one(&p, &in, &out))
		;
	et_close(p.h);
	fclose(p.nowhere);
	free(in.buff);
	ei_x_free(&out);
	ei_x_free(&p.records);
	return EXIT_SUCCESS;
}
