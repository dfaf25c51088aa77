/* Ports and drivers. */
#include "callback.h"
#include "iolist.h"

#include <string.h>

/* process, port, port name. process 0 means the owner, if it is known. */
static void
add_ppn(struct event *ev, ERL_NIF_TERM process, ERL_NIF_TERM port)
{
	char *name = ev->shard->port_name;
	ERL_NIF_TERM owner = ports_find(the_hub.ports, port, name);
	ev_again(ev);
	if (process || owner)
		ev_text(ev, 0, EV_TERM, process ? process : owner);
	else
		ev_static(ev, 0, "", 0);
	ev_text(ev, 1, EV_TERM, port);
	ev_static(ev, 2, name, strlen(name));
}

/* The driver's or the command's name from `open`: an atom, or text. */
static void
name_of(ErlNifEnv *env, ERL_NIF_TERM t, char name[PORT_NAME])
{
	if (!t || (enif_get_atom(env, t, name, PORT_NAME, ERL_NIF_LATIN1) <= 0 &&
		      enif_get_string(env, t, name, PORT_NAME, ERL_NIF_LATIN1) == 0))
		name[0] = '\0';
}

ERL_NIF_TERM
tracer_trace_ports(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	(void)argc;
	if (!begin(&ev, env, argv[2]))
		return atom_ok;
	ev.tag = argv[0];
	if (argv[0] == atom_open) {
		static const enum erl_probe opened[] = {ERLP_PORT_OPEN, ERLP_DRIVER_START};
		char name[PORT_NAME];
		name_of(env, option(env, argv[4], atom_extra), name);
		ports_add(the_hub.ports, argv[2], argv[3], name);
		for (int i = 0; i < 2; i++) {
			ev_again(&ev);
			ev_text(&ev, 0, EV_TERM, argv[3]);
			ev_static(&ev, 1, name, strlen(name));
			ev_text(&ev, 2, EV_TERM, argv[2]);
			ev_fire(&ev, subs(opened[i]));
		}
	} else if (argv[0] == atom_closed) {
		add_ppn(&ev, 0, argv[2]);
		ev_text(&ev, 3, EV_REASON, argv[3]);
		ev_fire(&ev, subs(ERLP_PORT_EXIT));
		if (subs(ERLP_DRIVER_STOP)) {
			ERL_NIF_TERM owner = ports_find(the_hub.ports, argv[2], ev.shard->port_name);
			ev_again(&ev);
			if (owner)
				ev_text(&ev, 0, EV_TERM, owner);
			else
				ev_static(&ev, 0, "", 0);
			ev_static(&ev, 1, ev.shard->port_name, strlen(ev.shard->port_name));
			ev_text(&ev, 2, EV_TERM, argv[2]);
			ev_fire(&ev, subs(ERLP_DRIVER_STOP));
		}
		ports_remove(the_hub.ports, argv[2]);
	}
	fire_trace(&ev, argv);
	return end(&ev);
}

/* Calls of a driver that nobody sent anything for. */
static void
fire_driver(struct event *ev, ERL_NIF_TERM tag, ERL_NIF_TERM port)
{
	const struct sub *list = tag == atom_timeout ? subs(ERLP_DRIVER_TIMEOUT)
				 : tag == atom_flush ? subs(ERLP_DRIVER_FLUSH)
						     : NULL;
	if (!list)
		return;
	add_ppn(ev, 0, port);
	ev_fire(ev, list);
}

/* {Process, {command, Io}}, {Process, close}, {Process, {connect, New}}, {Process, {control, {Command, Data}}} */
void
fire_port_receive(struct event *ev, const ERL_NIF_TERM argv[])
{
	ErlNifEnv *env = ev->env;
	const ERL_NIF_TERM *msg, *what, *control;
	int n, m, k, command = 0;
	if (enif_is_atom(env, argv[3])) {
		fire_driver(ev, argv[3], argv[2]);
		return;
	}
	if (!enif_get_tuple(env, argv[3], &n, &msg) || n != 2)
		return;
	bool tagged = enif_get_tuple(env, msg[1], &m, &what) && m == 2;
	ERL_NIF_TERM tag = tagged ? what[0] : msg[1];
	if (tag == atom_command || tag == atom_close || tag == atom_connect) {
		add_ppn(ev, msg[0], argv[2]);
		ev_text(ev, 3, EV_TERM, tag);
		ev_fire(ev, subs(ERLP_PORT_COMMAND));
	}
	if (tag == atom_command && tagged) {
		const struct sub *lists[] = {subs(ERLP_DRIVER_OUTPUT), subs(ERLP_DRIVER_OUTPUTV)};
		for (int i = 0; i < 2; i++) {
			if (!lists[i])
				continue;
			add_ppn(ev, msg[0], argv[2]);
			ev_num(ev, 3, iolist_size(env, &ev->look, what[1]));
			ev_fire(ev, lists[i]);
		}
	} else if (tag == atom_connect && tagged) {
		add_ppn(ev, msg[0], argv[2]);
		ev_text(ev, 3, EV_TERM, what[1]);
		ev_fire(ev, subs(ERLP_PORT_CONNECT));
		ErlNifPid owner;
		if (enif_get_local_pid(env, what[1], &owner))
			ports_add(the_hub.ports, argv[2], what[1], NULL);
	} else if ((tag == atom_control || tag == atom_call) && tagged && enif_get_tuple(env, what[1], &k, &control) &&
		   k == 2) {
		enif_get_int(env, control[0], &command);
		if (tag == atom_control) {
			add_ppn(ev, msg[0], argv[2]);
			ev_num(ev, 3, (uint64_t)(int64_t)command);
			ev_fire(ev, subs(ERLP_PORT_CONTROL));
		}
		add_ppn(ev, msg[0], argv[2]);
		ev_num(ev, 3, (uint64_t)(int64_t)command);
		ev_num(ev, 4, iolist_size(env, &ev->look, control[1]));
		ev_fire(ev, subs(tag == atom_control ? ERLP_DRIVER_CONTROL : ERLP_DRIVER_CALL));
	}
}
