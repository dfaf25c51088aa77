/*
 * Attaching: puts into the node what tracing needs there, unless the application erltrace is part of its release
 * anyway.
 *
 * The modules are sent as bytes and loaded from them; no file is written for them. The library is loaded from its path
 * if the node can read it there (the same machine). Otherwise its bytes go to a folder of the node that only its user
 * can read, and are removed as soon as they are loaded (erltrace_place). If it has none, it is lent one (lend.h). There
 * is a library for each processor; the node says which one it runs on. Whatever fails or ends on the way, nothing stays
 * there. The files come from the application's folder beside the command, or from inside the command if it was copied
 * alone.
 */
#include "arch/arch.h"
#include "node/agent_modules.h"
#include "node/beam.h"
#include "node/lend.h"
#include "node/node.h"
#include "node/term.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	TRIES = 10,
	RETRY_MS = 200,
	LOCK_MS = 50,
	SECOND_MS = 1000, /* when what was loaded late is removed */
	THIRD_MS = 10000,
};

#define NAME(module) #module,
static const char *const modules[] = {ET_AGENT_MODULES(NAME) NULL};
#undef NAME

/* Returns whether this is a folder of the application. */
static bool
is_otp(const char *folder)
{
	char agent[4200];
	struct stat st;
	snprintf(agent, sizeof agent, "%s/ebin/erltrace_agent.beam", folder);
	return stat(agent, &st) == 0;
}

/* Finds $ERLTRACE_OTP, build/otp/erltrace beside the command, the place of `make install`, or the application that
 * the command is part of; otherwise uses what the command carries. */
static bool
find_otp(struct nodelink *n, struct why *why)
{
	static const char *const places[] = {"/otp/erltrace", "/../lib/erltrace/otp/erltrace", "/..", NULL};
	char exe[3072];
	const char *told = getenv("ERLTRACE_OTP");
	ssize_t len = readlink("/proc/self/exe", exe, sizeof exe - 1);
	if (!n->otp[0] && told && strlen(told) < sizeof n->otp)
		snprintf(n->otp, sizeof n->otp, "%s", told);
	if (n->otp[0]) {
		if (is_otp(n->otp))
			return true;
		why_set(why,
		    "%s is not the folder of erltrace's Erlang application: it has no ebin/erltrace_agent.beam",
		    n->otp);
		return false;
	}
	if (len > 0) {
		exe[len] = '\0';
		*strrchr(exe, '/') = '\0';
		for (int i = 0; places[i]; i++) {
			snprintf(n->otp, sizeof n->otp, "%s%s", exe, places[i]);
			if (is_otp(n->otp))
				return true;
		}
	}
	n->otp[0] = '\0';
	if (node_carried)
		return true;
	why_set(why,
	    "the Erlang part of erltrace is neither in this program nor beside it (otp/erltrace); ERLTRACE_OTP names its folder");
	return false;
}

/* A whole file on the heap. */
static char *
read_file(const char *path, long *size, struct why *why)
{
	FILE *f = fopen(path, "re");
	char *bytes = NULL;
	*size = 0;
	if (f && fseek(f, 0, SEEK_END) == 0 && (*size = ftell(f)) > 0 && *size < INT_MAX && fseek(f, 0, SEEK_SET) == 0)
		bytes = malloc((size_t)*size);
	if (bytes && fread(bytes, 1, (size_t)*size, f) != (size_t)*size) {
		free(bytes);
		bytes = NULL;
	}
	if (f)
		fclose(f);
	if (!bytes)
		why_set(why, "%s cannot be read", path);
	return bytes;
}

/* Returns a file of the application on the heap: from its folder, or a copy of what the program carries. */
static char *
read_part(const struct nodelink *n, const char *name, long *size, struct why *why)
{
	char path[4300];
	if (n->otp[0]) {
		snprintf(path, sizeof path, "%s/%s", n->otp, name);
		return read_file(path, size, why);
	}
	for (const struct node_part *p = node_carried; p && p->name; p++)
		if (strcmp(p->name, name) == 0) {
			*size = p->to - p->from;
			char *bytes = malloc((size_t)*size);
			return bytes ? memcpy(bytes, p->from, (size_t)*size) : NULL;
		}
	why_set(why, "the program does not carry %s", name);
	return NULL;
}

struct tunnel *
node_tunnel(const char *options, const atomic_bool *stop, struct why *why)
{
	struct nodelink *n = calloc(1, sizeof *n);
	struct tunnel *t = NULL;
	long size;
	char *beam = n && find_otp(n, why) ? read_part(n, "ebin/erltrace_tunnel.beam", &size, why) : NULL;
	if (beam)
		t = tunnel_start(options, beam, (size_t)size, stop, why);
	free(beam);
	free(n);
	return t;
}

/* Returns whether a result is this atom, or a tuple that begins with it. */
static bool
is_atom(const ei_x_buff *x, const char *atom)
{
	char got[MAXATOMLEN] = "";
	int index = 0, arity;
	if (ei_decode_tuple_header(x->buff, &index, &arity))
		index = 0;
	return ei_decode_atom(x->buff, &index, got) == 0 && strcmp(got, atom) == 0;
}

static void
encode_names(ei_x_buff *x)
{
	for (int i = 0; modules[i]; i++) {
		ei_x_encode_list_header(x, 1);
		ei_x_encode_atom(x, modules[i]);
	}
	ei_x_encode_empty_list(x);
}

/* Finds which modules the node lacks, one bit each. If it has the application's own, those are used and none are
 * sent. */
static bool
missing_modules(struct nodelink *n, unsigned *missing, struct why *why)
{
	char atom[MAXATOMLEN] = "";
	ei_x_buff args, result;
	int index = 0, arity, len;
	ei_x_new(&args);
	ei_x_new(&result);
	ei_x_encode_list_header(&args, 1);
	encode_names(&args);
	ei_x_encode_empty_list(&args);
	bool ok = node_rpc(n, "code", "ensure_modules_loaded", &args, &result, why);
	*missing = 0;
	/* ok | {error, [{Module, What}]} */
	if (ok && !is_atom(&result, "ok")) {
		ok = ei_decode_tuple_header(result.buff, &index, &arity) == 0 && arity == 2 &&
		     ei_decode_atom(result.buff, &index, atom) == 0 && strcmp(atom, "error") == 0 &&
		     ei_decode_list_header(result.buff, &index, &len) == 0;
		for (int k = 0; ok && k < len; k++) {
			ok = ei_decode_tuple_header(result.buff, &index, &arity) == 0 && arity == 2 &&
			     ei_decode_atom(result.buff, &index, atom) == 0 && term_skip(&result, &index);
			for (int i = 0; ok && modules[i]; i++)
				if (strcmp(modules[i], atom) == 0)
					*missing |= 1u << i;
		}
		if (!ok)
			why_set(why, "node %s: the code server answers in a way this command does not know", n->name);
	}
	ei_x_free(&args);
	ei_x_free(&result);
	return ok;
}

/* Modules that are being removed may still be there as old code. Code that somebody runs is left alone. */
static bool
purge(struct nodelink *n, const char *module, struct why *why)
{
	ei_x_buff args, result;
	ei_x_new(&args);
	ei_x_new(&result);
	ei_x_encode_list_header(&args, 1);
	ei_x_encode_atom(&args, module);
	ei_x_encode_empty_list(&args);
	bool ok = node_rpc(n, "code", "soft_purge", &args, &result, why);
	ei_x_free(&args);
	ei_x_free(&result);
	return ok;
}

/* {error, [{Module, What}]}: whether What is this. */
static bool
is_refusal(const ei_x_buff *x, const char *what)
{
	char atom[MAXATOMLEN] = "";
	int index = 0, arity, n;
	return ei_decode_tuple_header(x->buff, &index, &arity) == 0 && arity == 2 &&
	       ei_decode_atom(x->buff, &index, atom) == 0 && strcmp(atom, "error") == 0 &&
	       ei_decode_list_header(x->buff, &index, &n) == 0 && n > 0 &&
	       ei_decode_tuple_header(x->buff, &index, &arity) == 0 && arity == 2 &&
	       ei_decode_atom(x->buff, &index, atom) == 0 && ei_decode_atom(x->buff, &index, atom) == 0 &&
	       strcmp(atom, what) == 0;
}

/* Loads all at once: that is one code change, and a busy node takes as long for a single module. */
static bool
load_modules(struct nodelink *n, unsigned missing, struct why *why)
{
	char name[128], sent[128];
	ei_x_buff args, result;
	bool ok = true;
	ei_x_new(&args);
	ei_x_new(&result);
	ei_x_encode_list_header(&args, 1);
	for (int i = 0; modules[i] && ok; i++) {
		long size;
		if (!(missing & 1u << i))
			continue;
		snprintf(name, sizeof name, "priv/agent/%s.beam", modules[i]);
		char *bytes = read_part(n, name, &size, why);
		if (!(ok = bytes != NULL))
			break;
		snprintf(sent, sizeof sent, "sent-by-erltrace/%s.beam", modules[i]); /* erltrace_hub removes those */
		ei_x_encode_list_header(&args, 1);
		ei_x_encode_tuple_header(&args, 3);
		ei_x_encode_atom(&args, modules[i]);
		ei_x_encode_string(&args, sent);
		ei_x_encode_binary(&args, bytes, (int)size);
		free(bytes);
	}
	ei_x_encode_empty_list(&args);
	ei_x_encode_empty_list(&args);
	ok = ok && node_rpc(n, "code", "atomic_load", &args, &result, why);
	if (ok && is_refusal(&result, "not_purged")) {
		for (int i = 0; modules[i] && ok; i++)
			ok = purge(n, modules[i], why);
		if (ok)
			why_set(why, "node %s: another erltrace is just ending there; try again", n->name);
		ok = false;
	} else if (ok && !is_atom(&result, "ok")) {
		ok = false;
		why_set(why, "node %s could not load the modules in %s%s: %s", n->name,
		    n->otp[0] ? n->otp : "this command", n->otp[0] ? "/priv/agent" : "",
		    is_refusal(&result, "badfile")
			? "its OTP is too old for the compiler that made them (built with OTP 25 to 28 they are for nodes from 25 "
			  "on, with 29 from 26 on), or much newer"
			: "the code server refused");
	}
	ei_x_free(&args);
	ei_x_free(&result);
	return ok;
}

/* Calls a function of erltrace_agent that starts the agent. {error, Text} means that it may succeed a moment later;
 * {refused, Text} that it will not, and n->refused is set. */
static bool
call_start(struct nodelink *n, const char *function, const ei_x_buff *args, struct why *why)
{
	ei_x_buff result;
	char tag[MAXATOMLEN] = "", *text;
	int index = 0, arity;
	ei_x_new(&result);
	bool ok = node_rpc(n, "erltrace_agent", function, args, &result, why);
	if (ok) {
		ok = ei_decode_tuple_header(result.buff, &index, &arity) == 0 && arity == 2 &&
		     ei_decode_atom(result.buff, &index, tag) == 0 && strcmp(tag, "ok") == 0 &&
		     ei_decode_pid(result.buff, &index, &n->agent) == 0;
		if (!ok) {
			n->refused = strcmp(tag, "refused") == 0;
			text = n->refused || strcmp(tag, "error") == 0 ? term_read_text(&result, &index) : NULL;
			if (text)
				why_set(why, "node %s: %s", n->name, text);
			else
				why_set(why, "node %s: the agent did not start", n->name);
			free(text);
		}
	}
	n->attached = ok;
	ei_x_free(&result);
	return ok;
}

/* Starts the agent with the library at path (without ".so"). */
static bool
start_agent(struct nodelink *n, const char *path, struct why *why)
{
	ei_x_buff args;
	ei_x_new(&args);
	ei_x_encode_list_header(&args, 2);
	ei_x_encode_pid(&args, ei_self(&n->ec));
	ei_x_encode_string(&args, path);
	ei_x_encode_empty_list(&args);
	bool ok = call_start(n, "start", &args, why);
	ei_x_free(&args);
	return ok;
}

/* erltrace_agent:info() */
static bool
ask_info(struct nodelink *n, struct why *why)
{
	ei_x_buff args, result;
	int index;
	long protocol = 1; /* the first version did not send it */
	long long pid = 0;
	ei_x_new(&args);
	ei_x_new(&result);
	ei_x_encode_empty_list(&args);
	bool ok = node_rpc(n, "erltrace_agent", "info", &args, &result, why);
	if (ok && term_field(&result, 0, "protocol", &index))
		ei_decode_long(result.buff, &index, &protocol);
	if (ok && term_field(&result, 0, "os_pid", &index))
		ei_decode_longlong(result.buff, &index, &pid);
	if (!n->os_pid)
		n->os_pid = pid;
	if (ok && pid && protocol != NODE_PROTOCOL) {
		why_set(why,
		    "node %s has another version of erltrace (protocol %ld; this command has %d), as part of its release or brought by "
		    "another command: use the command of that version, or wait until the other one ends",
		    n->name, protocol, NODE_PROTOCOL);
		ok = false;
	}
	if (ok && !pid) {
		why_set(why, "node %s: the agent answers in a way this command does not know", n->name);
		ok = false;
	}
	ei_x_free(&args);
	ei_x_free(&result);
	return ok;
}

/* Asks for the processor of the node: the first part of "aarch64-unknown-linux-gnu". */
static bool
ask_machine(struct nodelink *n, char *machine, size_t size, struct why *why)
{
	char text[256];
	ei_x_buff args, result;
	int index = 0, type, len;
	ei_x_new(&args);
	ei_x_new(&result);
	ei_x_encode_list_header(&args, 1);
	ei_x_encode_atom(&args, "system_architecture");
	ei_x_encode_empty_list(&args);
	bool ok = node_rpc(n, "erlang", "system_info", &args, &result, why);
	bool known = ok && ei_get_type(result.buff, &index, &type, &len) == 0 && type == ERL_STRING_EXT &&
		     len < (int)sizeof text && ei_decode_string(result.buff, &index, text) == 0;
	if (known)
		snprintf(machine, size, "%.*s", (int)strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_"), text);
	else if (ok)
		why_set(why, "node %s does not say what processor it runs on", n->name);
	if (known && !strstr(text, "linux")) {
		text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_-.")] = '\0';
		why_set(why, "node %s runs on %s; only nodes on Linux can be traced", n->name, text);
		n->refused = true;
		known = false;
	}
	ei_x_free(&args);
	ei_x_free(&result);
	return known;
}

static void
no_library(struct nodelink *n, const char *machine, struct why *why)
{
#define IS_IT(m) || strcmp(machine, #m) == 0
#define LISTED(m) " " #m
	if (false ARCH_MACHINES(IS_IT))
		why_set(why,
		    "node %s runs on %s, and the library for that processor is not %s %s (it is built if there is a compiler "
		    "%s-linux-gnu-gcc)",
		    n->name, machine, n->otp[0] ? "in" : "inside", n->otp[0] ? n->otp : "this command", machine);
	else
		why_set(why, "node %s runs on %s; nodes can be traced on these processors:%s", n->name, machine,
		    ARCH_MACHINES(LISTED));
#undef IS_IT
#undef LISTED
	n->refused = true;
}

/* Returns the library for the node's processor. */
static char *
read_library(struct nodelink *n, long *size, struct why *why)
{
	char machine[64], name[128];
	struct why ignored;
	if (!ask_machine(n, machine, sizeof machine, why))
		return NULL;
	snprintf(name, sizeof name, "priv/%s/erltrace_tracer.so", machine);
	char *bytes = read_part(n, name, size, &ignored);
	if (!bytes && strcmp(machine, ARCH_NAME) == 0)
		bytes = read_part(n, "priv/erltrace_tracer.so", size, &ignored);
	if (!bytes)
		no_library(n, machine, why);
	return bytes;
}

/* Has the library's bytes written where the node can execute them, and starts the agent with it: erltrace_place. Lent:
 * the process of the node that gets a folder; otherwise NULL. */
static bool
place(struct nodelink *n, const char *bytes, long size, const char *name, const erlang_pid *lent, struct why *why)
{
	ei_x_buff args;
	ei_x_new(&args);
	ei_x_encode_list_header(&args, 4);
	ei_x_encode_pid(&args, ei_self(&n->ec));
	ei_x_encode_binary(&args, bytes, (int)size);
	ei_x_encode_string(&args, name);
	if (lent)
		ei_x_encode_pid(&args, lent);
	else
		ei_x_encode_string(&args, n->dir);
	ei_x_encode_empty_list(&args);
	bool ok = call_start(n, "place", &args, why);
	ei_x_free(&args);
	return ok;
}

/* erltrace_agent:borrow() */
static bool
borrow(struct nodelink *n, erlang_pid *borrower, long *socket, struct why *why)
{
	ei_x_buff args, result;
	char tag[MAXATOMLEN] = "", *text;
	int index = 0, arity;
	ei_x_new(&args);
	ei_x_new(&result);
	ei_x_encode_empty_list(&args);
	bool ok = node_rpc(n, "erltrace_agent", "borrow", &args, &result, why);
	if (ok) {
		ok = ei_decode_tuple_header(result.buff, &index, &arity) == 0 &&
		     ei_decode_atom(result.buff, &index, tag) == 0 && strcmp(tag, "ok") == 0 && arity == 3 &&
		     ei_decode_pid(result.buff, &index, borrower) == 0 &&
		     ei_decode_long(result.buff, &index, socket) == 0 && *socket >= 0 && *socket <= INT_MAX;
		text = ok || strcmp(tag, "refused") != 0 ? NULL : term_read_text(&result, &index);
		if (!ok)
			why_set(why, "%s", text ? text : "the agent does not take one");
		free(text);
	}
	ei_x_free(&args);
	ei_x_free(&result);
	return ok;
}

/* For a node without a place for the library, if its process is on this machine. `why` has the reasons of the places.
 */
static bool
place_lent(struct nodelink *n, const char *bytes, long size, const char *name, struct why *why)
{
	struct why own = {.text = ""};
	erlang_pid borrower;
	long socket = -1;
	if (n->os_pid <= 0 || n->os_pid > INT_MAX || !beam_is((pid_t)n->os_pid))
		return false;
	bool is_lent = borrow(n, &borrower, &socket, &own) && lend_folder((pid_t)n->os_pid, (int)socket, name, &own);
	if (is_lent && place(n, bytes, size, name, &borrower, &own))
		return true;
	n->refused |= !is_lent;
	why_add(why, "; a folder of this command's own: %s", own.text);
	return false;
}

static bool
ship_library(struct nodelink *n, struct why *why)
{
	char name[64];
	uint64_t random[2];
	long size;
	char *bytes = read_library(n, &size, why);
	if (!bytes)
		return false;
	if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) {
		why_set(why, "no random numbers can be had: %s", strerror(errno));
		free(bytes);
		return false;
	}
	snprintf(name, sizeof name, "erltrace-%016" PRIx64 "%016" PRIx64, random[0], random[1]);
	bool ok = place(n, bytes, size, name, NULL, why);
	if (!ok && n->refused && !n->dir[0])
		ok = place_lent(n, bytes, size, name, why);
	free(bytes);
	return ok;
}

static bool
can_read(struct nodelink *n, const char *path, struct why *why)
{
	ei_x_buff args, result;
	if (!n->is_local)
		return false;
	ei_x_new(&args);
	ei_x_new(&result);
	ei_x_encode_list_header(&args, 1);
	ei_x_encode_string(&args, path);
	ei_x_encode_empty_list(&args);
	bool ok = node_rpc(n, "filelib", "is_regular", &args, &result, why) && is_atom(&result, "true");
	ei_x_free(&args);
	ei_x_free(&result);
	return ok;
}

/*
 * Commands that come at the same moment must not load the modules over each other, because code that a running agent
 * uses would become old. The lock is a name in the node, of a process that waits for an answer from us until we, or the
 * connection, are gone. It is held until our agent has begun. If we are gone before that, the process also removes the
 * modules, and another one does so again later: the node may still be loading them when we are gone. Then it ends, and
 * its name goes with it. It must not unregister the name: as long as we wait for another command to load the modules,
 * the name is that one's. Neither process can have code of ours, so each is
 * lists:zipwith(fun erlang:apply/2, [fun rpc:call/4, …], [arguments of each call]).
 */
static const char lock_name[] = "erltrace_loading";

static void
encode_fun(ei_x_buff *x, const char *module, const char *function, long arity)
{
	static const char tag = 'q'; /* fun M:F/A */
	ei_x_append_buf(x, &tag, 1);
	ei_x_encode_atom(x, module);
	ei_x_encode_atom(x, function);
	ei_x_encode_long(x, arity);
}

/* The arguments of rpc:call/4, before those of the function itself. */
static void
encode_call(struct nodelink *n, ei_x_buff *x, const char *module, const char *function)
{
	ei_x_encode_list_header(x, 4);
	ei_x_encode_atom(x, n->name);
	ei_x_encode_atom(x, module);
	ei_x_encode_atom(x, function);
}

static void
encode_abandon(struct nodelink *n, ei_x_buff *x)
{
	encode_call(n, x, "erltrace_agent", "abandon");
	ei_x_encode_empty_list(x);
	ei_x_encode_empty_list(x);
}

static void
encode_sleep(struct nodelink *n, ei_x_buff *x, long ms)
{
	encode_call(n, x, "timer", "sleep");
	ei_x_encode_list_header(x, 1);
	ei_x_encode_long(x, ms);
	ei_x_encode_empty_list(x);
	ei_x_encode_empty_list(x);
}

/* The arguments of lists:zipwith/3, but for the list of each call's own arguments, which follows. */
static void
encode_steps(ei_x_buff *x, unsigned calls)
{
	ei_x_encode_list_header(x, 3);
	encode_fun(x, "erlang", "apply", 2);
	ei_x_encode_list_header(x, calls);
	for (unsigned i = 0; i < calls; i++)
		encode_fun(x, "rpc", "call", 4);
	ei_x_encode_empty_list(x);
	ei_x_encode_list_header(x, calls);
}

static void
encode_later(struct nodelink *n, ei_x_buff *x)
{
	encode_steps(x, 4);
	encode_sleep(n, x, SECOND_MS);
	encode_abandon(n, x);
	encode_sleep(n, x, THIRD_MS);
	encode_abandon(n, x);
	ei_x_encode_empty_list(x);
	ei_x_encode_empty_list(x);
}

/* Others need not wait for the later removals: another process does them. With this one its name goes, if it has it. */
static void
encode_keeper(struct nodelink *n, ei_x_buff *x)
{
	encode_steps(x, 3);
	encode_call(n, x, "gen_server", "call");
	ei_x_encode_list_header(x, 3);
	ei_x_encode_pid(x, ei_self(&n->ec));
	ei_x_encode_atom(x, lock_name);
	ei_x_encode_atom(x, "infinity");
	ei_x_encode_empty_list(x);
	ei_x_encode_empty_list(x);
	encode_abandon(n, x);
	encode_call(n, x, "erlang", "spawn");
	ei_x_encode_list_header(x, 3);
	ei_x_encode_atom(x, "lists");
	ei_x_encode_atom(x, "zipwith");
	encode_later(n, x);
	ei_x_encode_empty_list(x);
	ei_x_encode_empty_list(x);
	ei_x_encode_empty_list(x);
	ei_x_encode_empty_list(x);
}

static bool
start_keeper(struct nodelink *n, erlang_pid *keeper, struct why *why)
{
	ei_x_buff args, result;
	int index = 0;
	ei_x_new(&args);
	ei_x_new(&result);
	ei_x_encode_list_header(&args, 3);
	ei_x_encode_atom(&args, "lists");
	ei_x_encode_atom(&args, "zipwith");
	encode_keeper(n, &args);
	ei_x_encode_empty_list(&args);
	bool ok = node_rpc(n, "erlang", "spawn", &args, &result, why);
	if (ok && ei_decode_pid(result.buff, &index, keeper)) {
		why_set(why, "node %s could not start a process", n->name);
		ok = false;
	}
	ei_x_free(&args);
	ei_x_free(&result);
	return ok;
}

/* Removes what load_modules() has brought, if nobody uses it. */
static void
abandon(struct nodelink *n)
{
	struct why ignored;
	ei_x_buff args, result;
	if (n->fd < 0)
		return; /* the keeper does it */
	ei_x_new(&args);
	ei_x_new(&result);
	ei_x_encode_empty_list(&args);
	node_rpc(n, "erltrace_agent", "abandon", &args, &result, &ignored);
	ei_x_free(&args);
	ei_x_free(&result);
}

static bool
take_name(struct nodelink *n, const erlang_pid *keeper, bool *taken, struct why *why)
{
	ei_x_buff args, result;
	ei_x_new(&args);
	ei_x_new(&result);
	ei_x_encode_list_header(&args, 2);
	ei_x_encode_atom(&args, lock_name);
	ei_x_encode_pid(&args, keeper);
	ei_x_encode_empty_list(&args);
	bool ok = node_rpc(n, "erlang", "register", &args, &result, why);
	*taken = ok && is_atom(&result, "true");
	ei_x_free(&args);
	ei_x_free(&result);
	return ok;
}

static void
end_keeper(struct nodelink *n, const erlang_pid *keeper)
{
	struct why ignored;
	ei_x_buff args, result;
	if (n->fd < 0)
		return; /* it has noticed */
	ei_x_new(&args);
	ei_x_new(&result);
	ei_x_encode_list_header(&args, 2);
	ei_x_encode_pid(&args, keeper);
	ei_x_encode_atom(&args, "kill");
	ei_x_encode_empty_list(&args);
	node_rpc(n, "erlang", "exit", &args, &result, &ignored);
	ei_x_free(&args);
	ei_x_free(&result);
}

/* The modules are there, and so are the library and the agent. */
static bool
begin(struct nodelink *n, struct why *why)
{
	char library[4200], file[4210];
	if (!ask_info(n, why))
		return false;
	snprintf(library, sizeof library, "%s/priv/erltrace_tracer", n->otp);
	snprintf(file, sizeof file, "%s.so", library);
	if (n->otp[0] && can_read(n, file, why))
		if (start_agent(n, library, why))
			return true; /* if not: mounted so that it cannot be executed there? */
	if (n->fd < 0)
		return false;
	return ship_library(n, why);
}

/* One try. What another command has sent may be removed at the same moment, because that command ends. */
static bool
attach_once(struct nodelink *n, struct why *why)
{
	erlang_pid keeper;
	unsigned missing;
	bool taken = false;
	if (!missing_modules(n, &missing, why))
		return false;
	if (!missing)
		return begin(n, why);
	if (!start_keeper(n, &keeper, why))
		return false;
	bool ok = take_name(n, &keeper, &taken, why);
	/* the faster command has them loaded in a moment */
	for (unsigned ms = 0; ok && !taken && missing && ms < n->timeout && !node_stopped(n); ms += LOCK_MS) {
		nanosleep(&(struct timespec){.tv_nsec = LOCK_MS * 1000000}, NULL);
		ok = missing_modules(n, &missing, why) && (!missing || take_name(n, &keeper, &taken, why));
	}
	if (ok && taken) /* somebody may just have finished */
		ok = missing_modules(n, &missing, why);
	if (ok && missing)
		ok = load_modules(n, missing, why);
	ok = ok && begin(n, why);
	if (!ok)
		abandon(n);
	end_keeper(n, &keeper);
	return ok;
}

bool
node_attach(struct nodelink *n, struct why *why)
{
	bool ok = false;
	if (!find_otp(n, why))
		return false;
	for (unsigned tries = 0; !ok && !n->refused && !node_stopped(n) && n->fd >= 0 && tries < TRIES; tries++) {
		if (tries)
			nanosleep(&(struct timespec){.tv_nsec = RETRY_MS * 1000000}, NULL);
		ok = attach_once(n, why);
	}
	ok = ok && node_watch(n, why);
	/* Later requests are completed, even when tracing is over. */
	n->sock.stop = NULL;
	return ok;
}
