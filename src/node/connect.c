/*
 * Finds a node and connects: host, epmd, port, cookie, each step with its own error.
 */
#include "node/beam.h"
#include "node/epmd.h"
#include "node/node.h"
#include "node/ns.h"

#include <arpa/inet.h>
#include <ei_connect.h>
#include <errno.h>
#include <netdb.h>
#include <pwd.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { EPMD_MS = 10000 };

/* -- the cookie -------------------------------------------------------------------------------------------------- */

static bool
read_cookie(char *cookie, size_t size, struct why *why)
{
	char path[4096];
	const char *home = getenv("HOME");
	struct passwd *pw = home ? NULL : getpwuid(getuid());
	if (!home && !pw) {
		why_set(why, "no cookie: no home directory is known; give one with --cookie");
		return false;
	}
	snprintf(path, sizeof path, "%s/.erlang.cookie", home ? home : pw->pw_dir);
	FILE *f = fopen(path, "re");
	if (!f) {
		why_set(why, "no cookie: %s: %s; give one with --cookie", path, strerror(errno));
		return false;
	}
	size_t n = fread(cookie, 1, size - 1, f);
	fclose(f);
	cookie[n] = '\0';
	cookie[strcspn(cookie, "\r\n")] = '\0';
	if (!cookie[0]) {
		why_set(why, "no cookie: %s is empty; give one with --cookie", path);
		return false;
	}
	return true;
}

/* -- epmd -------------------------------------------------------------------------------------------------------- */

struct looking {
	const char *alive;
	unsigned port;    /* 0 while it was not found */
	char others[256]; /* who is there instead */
};

static bool
look_for(void *arg, const char *alive, unsigned port)
{
	struct looking *l = arg;
	size_t have = strlen(l->others);
	if (strcmp(alive, l->alive) == 0) {
		l->port = port;
		return false;
	}
	if (have + strlen(alive) + 3 < sizeof l->others)
		stpcpy(stpcpy(l->others + have, have ? ", " : ""), alive);
	return true;
}

/* Adds an address of the host, with the node's port. */
static void
add_end(struct node_sock *s, const struct addrinfo *a, unsigned port)
{
	if (s->nends == NODE_ENDS || a->ai_addrlen > sizeof s->ends[0])
		return;
	union node_end *e = &s->ends[s->nends++];
	memcpy(e, a->ai_addr, a->ai_addrlen);
	if (a->ai_family == AF_INET6)
		e->v6.sin6_port = htons((in_port_t)port);
	else
		e->v4.sin_port = htons((in_port_t)port);
}

/* Finds where the node listens: where its epmd has answered, and at the host's other addresses. A node may listen on
 * IPv6 only, or on IPv4 only, whereas epmd listens on both. Returns false if it was not found. */
static bool
lookup(struct nodelink *n, const char *alive, struct why *why)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list;
	char port[16];
	snprintf(port, sizeof port, "%d", epmd_port());
	int err = getaddrinfo(n->host, port, &hints, &list);
	/* the network need not know this machine's own name */
	if (err && n->is_local && getaddrinfo("127.0.0.1", port, &hints, &list) == 0)
		err = 0;
	if (err) {
		why_set(why, "node %s: the host '%s' is not known: %s", n->name, n->host, gai_strerror(err));
		return false;
	}
	unsigned limit = n->timeout < EPMD_MS ? n->timeout : EPMD_MS; /* it does little and is never busy for long */
	struct looking l = {.alive = alive};
	const struct addrinfo *at = list;
	enum epmd_answer answer = epmd_ask(&at, limit, n->sock.stop, look_for, &l);
	err = errno;
	if (l.port)
		add_end(&n->sock, at, l.port);
	for (const struct addrinfo *a = l.port ? list : NULL; a; a = a->ai_next)
		if (a != at)
			add_end(&n->sock, a, l.port);
	freeaddrinfo(list);
	if (answer == EPMD_NONE)
		why_set(why, "node %s: no epmd answers on %s port %s: %s; is a distributed node running there?",
		    n->name, n->host, port, strerror(err));
	else if (answer == EPMD_SILENT)
		why_set(why, "node %s: epmd on %s did not answer", n->name, n->host);
	else if (!l.port)
		why_set(why, "node %s: epmd on %s does not know the name '%s'; it knows: %s", n->name, n->host, alive,
		    l.others[0] ? l.others : "none");
	return n->sock.nends > 0;
}

/* -- the connection ---------------------------------------------------------------------------------------------- */

static bool
split_name(struct nodelink *n, const char *name, char *alive, size_t size, struct why *why)
{
	char self[256] = "";
	const char *at = strchr(name, '@');
	size_t len = at ? (size_t)(at - name) : strlen(name);
	gethostname(self, sizeof self - 1);
	if (!len || len >= size || (at && (!at[1] || strlen(at + 1) >= sizeof n->host))) {
		why_set(why, "'%.100s' is not the name of a node; it looks like shop@host", name);
		return false;
	}
	memcpy(alive, name, len);
	alive[len] = '\0';
	if (!at)
		self[strcspn(self, ".")] = '\0'; /* a name without a host is a short one */
	snprintf(n->host, sizeof n->host, "%s", at ? at + 1 : self);
	snprintf(n->name, sizeof n->name, "%s@%s", alive, n->host);
	char shorter[256];
	snprintf(shorter, sizeof shorter, "%s", n->host);
	shorter[strcspn(shorter, ".")] = '\0';
	size_t host = strcspn(self, ".");
	n->is_local = strcmp(n->host, "localhost") == 0 || strncmp(n->host, "127.", 4) == 0 ||
		      strcmp(n->host, "::1") == 0 || strcmp(n->host, self) == 0 ||
		      (strlen(shorter) == host && strncmp(shorter, self, host) == 0);
	return true;
}

/*
 * Takes our own name. A node keeps every name that it has ever seen, so there are few: erltrace_1 and so on, the lowest
 * that no other command of this machine has now. A socket without a file reserves it until we end, however that
 * happens. Returns its number, or 0 if none is free.
 */
static unsigned
take_name(struct nodelink *n, unsigned from)
{
	enum { NAMES = 1024 };
	n->slot = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	for (unsigned i = from; n->slot >= 0 && i <= NAMES; i++) {
		struct sockaddr_un at = {.sun_family = AF_UNIX};
		int len = snprintf(at.sun_path + 1, sizeof at.sun_path - 1, "erltrace_%u", i);
		if (bind(n->slot, (struct sockaddr *)&at,
			(socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)len)) == 0)
			return i;
	}
	return 0;
}

static void
give_name(struct nodelink *n)
{
	if (n->slot >= 0)
		close(n->slot);
	n->slot = -1;
}

/* Our name must have the same form as the node's: with dots in the host, or without. The creation distinguishes us
 * from earlier commands of this name. */
static bool
init_self(struct nodelink *n, unsigned number, const char *cookie)
{
	char host[256] = "", alive[64], full[512];
	unsigned creation = 0;
	Erl_IpAddr loopback = &(struct in_addr){.s_addr = htonl(INADDR_LOOPBACK)};
	bool is_long = strpbrk(n->host, ".:") != NULL;
	gethostname(host, sizeof host - 1);
	if (!is_long)
		host[strcspn(host, ".")] = '\0';
	else if (!strchr(host, '.'))
		snprintf(host, sizeof host, "%s", n->host);
	if (getrandom(&creation, sizeof creation, GRND_NONBLOCK) != (ssize_t)sizeof creation)
		creation = (unsigned)getpid();
	snprintf(alive, sizeof alive, "erltrace_%u", number ? number : 1024 + (unsigned)getpid());
	snprintf(full, sizeof full, "%s@%s", alive, host);
	return ei_connect_xinit_ussi(&n->ec, host, alive, full, loopback, cookie, creation | 4, &node_sock_callbacks,
		   (int)sizeof node_sock_callbacks, &n->sock) == 0;
}

/* While a node is still closing a connection it refuses another one of the same name, with the same answer as for a
 * wrong cookie. So some more names are tried. */
static bool
shake_hands(struct nodelink *n, const char *cookie, struct why *why)
{
	enum { TRIES = 4, PAUSE_MS = 30 };
	unsigned number = 0;
	for (unsigned tries = 0; tries < TRIES && n->fd < 0; tries++) {
		if (tries)
			nanosleep(&(struct timespec){.tv_nsec = PAUSE_MS * tries * 1000000L}, NULL);
		give_name(n);
		number = take_name(n, number + 1);
		if (!init_self(n, number, cookie)) {
			why_set(why, "node %s: the connection could not be prepared", n->name);
			return false;
		}
		/* (The address is for ei, which knows IPv4 only: the sockets know better.) */
		n->fd = ei_connect_host_port_tmo(
		    &n->ec, (char *)(uintptr_t) "127.0.0.1", (int)end_port(&n->sock.ends[0]), n->timeout);
		if (n->fd < 0 && (erl_errno == ETIMEDOUT || !n->sock.is_reached || node_stopped(n)))
			break;
	}
	return n->fd >= 0;
}

/* -- a node by its name ------------------------------------------------------------------------------------------- */

static void
connect_name(struct nodelink *n, const struct node_conf *c, struct why *why)
{
	char alive[256], cookie[512];
	if (!split_name(n, c->name, alive, sizeof alive, why))
		return;
	snprintf(cookie, sizeof cookie, "%s", c->cookie ? c->cookie : "");
	if (!c->cookie && !read_cookie(cookie, sizeof cookie, why))
		return;
	if (!lookup(n, alive, why))
		return;
	unsigned port = end_port(&n->sock.ends[0]);
	why->text[0] = '\0';
	if (!shake_hands(n, cookie, why) && n->sock.text[0])
		why_set(why, "node %s: TLS: %s", n->name, n->sock.text);
	else if (n->fd < 0 && !why->text[0] && !n->sock.is_reached && !node_stopped(n))
		why_set(why, "node %s: epmd on %s says that it listens on port %u, but %s", n->name, n->host, port,
		    erl_errno == ETIMEDOUT ? "nobody answers there" : "that cannot be connected to");
	else if (n->fd < 0 && !why->text[0])
		why_set(why, "node %s: it answers on port %u but refused the connection: %s", n->name, port,
		    erl_errno == ETIMEDOUT ? "time-out"
		    : c->cookie            ? "the cookie given with --cookie or $ERLTRACE_COOKIE is not its cookie"
					   : "the cookie in ~/.erlang.cookie is not its cookie; give it with --cookie");
}

/* -- the node of a process ---------------------------------------------------------------------------------------- */

/* How others may be seen: as an end of a sentence. */
static const char *
as_root(const struct beam *b)
{
	return b->is_hidden ? "; it belongs to another user: root can find more" : "";
}

void
node_ask_name(struct nodelink *n)
{
	struct why ignored;
	char name[MAXATOMLEN];
	int index = 0;
	ei_x_buff args, result;
	ei_x_new(&args);
	ei_x_new(&result);
	ei_x_encode_empty_list(&args);
	if (node_rpc(n, "erlang", "node", &args, &result, &ignored) && ei_decode_atom(result.buff, &index, name) == 0)
		snprintf(n->name, sizeof n->name, "%s", name);
	ei_x_free(&args);
	ei_x_free(&result);
}

/* The cookies one after the other: a node that does not take one says no at once. */
static void
try_port(struct nodelink *n, const struct beam *b, const struct beam_port *p, const char *cookie, struct why *why)
{
	n->sock.nends = 0;
	for (unsigned i = 0; i < 2 && p->ends[i].any.sa_family; i++)
		n->sock.ends[n->sock.nends++] = p->ends[i];
	if (cookie)
		shake_hands(n, cookie, why);
	for (unsigned i = 0; !cookie && i < b->ncookies && n->fd < 0; i++) {
		if (!shake_hands(n, b->cookies[i].text, why) &&
		    (erl_errno == ETIMEDOUT || !n->sock.is_reached || node_stopped(n)))
			break;
	}
}

static void
refused(
    const struct nodelink *n, const struct beam *b, const char *cookie, bool is_late, bool is_reached, struct why *why)
{
	char from[512] = "";
	size_t at = 0;
	for (unsigned i = 0; i < b->ncookies && at < sizeof from; i++)
		at += (size_t)snprintf(from + at, sizeof from - at, "%s%s", i ? ", " : "", b->cookies[i].from);
	if (is_late)
		why_set(
		    why, "node %s, process %d: it did not answer on port %u", n->name, (int)b->pid, b->ports[0].port);
	else if (!is_reached && (cookie || b->ncookies))
		why_set(why, "node %s, process %d: port %u, on which it listens, cannot be connected to", n->name,
		    (int)b->pid, b->ports[0].port);
	else if (b->proto[0] && !beam_is_tls(b->proto) && strcmp(b->proto, "inet_tcp") != 0 &&
		 strcmp(b->proto, "inet6_tcp") != 0)
		why_set(why,
		    "node %s, process %d: it is reached through '%s'; erltrace speaks the usual distribution, and that refused the connection",
		    n->name, (int)b->pid, b->proto);
	else if (cookie)
		why_set(why,
		    "node %s, process %d: it refused the connection: the cookie given with --cookie or $ERLTRACE_COOKIE is "
		    "not its cookie",
		    n->name, (int)b->pid);
	else if (b->ncookies)
		why_set(why,
		    "node %s, process %d: it refused the connection: its cookie is not the one in %s; give it with "
		    "--cookie%s",
		    n->name, (int)b->pid, from, as_root(b));
	else
		why_set(why, "node %s, process %d: no cookie of it was found%s; give it with --cookie%s", n->name,
		    (int)b->pid, b->is_ours ? "" : ", and yours is not for others' processes", as_root(b));
}

/* Returns whether everything is known that a connection needs. */
static bool
is_known(const struct beam *b, bool tls, struct why *why)
{
	bool is_tls = beam_is_tls(b->proto);
	if (is_tls && !tls)
		why_set(why,
		    "node %s, process %d: its distribution runs over TLS, and its command line does not say how, or it is not yours; give the "
		    "options that its nodes have: --dist-opts '-ssl_dist_optfile FILE'",
		    b->name, (int)b->pid);
	else if (!is_tls && b->is_stuck)
		why_set(why,
		    "process %d: it could not be looked at within %u s: something of it is on a file system that does not answer",
		    (int)b->pid, BEAM_MS / 1000);
	else if (b->no_listen)
		why_set(why,
		    "node %s, process %d: it takes no connections: it was started with -dist_listen false or with a name that others give it (undefined). "
		    "Without attaching, as root, from the kernel: -x engine=kernel",
		    b->name, (int)b->pid);
	else if (!b->name[0])
		why_set(why, "process %d has no node name%s", (int)b->pid, as_root(b));
	else if (!b->nports && b->no_epmd)
		why_set(why, "node %s, process %d: no epmd answers on port %d%s", b->name, (int)b->pid, b->epmd_port,
		    as_root(b));
	else if (!b->nports)
		why_set(why, "node %s, process %d: it listens nowhere: is it just starting?%s", b->name, (int)b->pid,
		    as_root(b));
	else
		return true;
	return false;
}

/* Tries the ports one after the other. */
static void
try_ports(struct nodelink *n, const struct beam *b, const char *cookie, struct why *why)
{
	enum { GUESS_MS = 3000 };
	unsigned timeout = n->timeout;
	bool is_late = true, is_reached = false;
	n->is_local = !b->sees_other;
	n->sock.net = b->net;
	why->text[0] = '\0';
	if (b->nports > 1 && timeout > GUESS_MS)
		n->timeout = GUESS_MS; /* some of them are for something else */
	for (unsigned i = 0; i < b->nports && n->fd < 0 && !node_stopped(n); i++) {
		try_port(n, b, &b->ports[i], cookie, why);
		is_late &= erl_errno == ETIMEDOUT;
		is_reached |= n->sock.is_reached;
	}
	n->timeout = timeout;
	n->sock.net = -1;
	if (n->fd < 0 && n->sock.text[0])
		why_set(why, "node %s, process %d: TLS: %s", n->name, (int)b->pid, n->sock.text);
	else if (n->fd < 0 && !why->text[0])
		refused(n, b, cookie, is_late, is_reached, why);
}

/* Calls a function that returns a string, perhaps as {ok, String}; arg may be NULL. Returns false if it did not. */
static bool
ask_string(struct nodelink *n, const char *module, const char *function, const char *arg, char *text, size_t most)
{
	struct why ignored;
	int index = 0, arity, type, size;
	ei_x_buff args, result;
	ei_x_new(&args);
	ei_x_new(&result);
	if (arg) {
		ei_x_encode_list_header(&args, 1);
		ei_x_encode_string(&args, arg);
	}
	ei_x_encode_empty_list(&args);
	bool ok = node_rpc(n, module, function, &args, &result, &ignored);
	if (ok && ei_decode_tuple_header(result.buff, &index, &arity) == 0)
		ok = arity == 2 && ei_skip_term(result.buff, &index) == 0;
	ok = ok && ei_get_type(result.buff, &index, &type, &size) == 0 && size >= 0 && (size_t)size < most &&
	     ei_decode_string(result.buff, &index, text) == 0;
	ei_x_free(&args);
	ei_x_free(&result);
	return ok;
}

/* Returns whether the node that we are connected to is that process: the name on its command line may be another's. In
 * containers many have the same number. */
static bool
is_process(struct nodelink *n, pid_t pid)
{
	char path[64], space[64], text[64];
	int64_t inner = ns_inner_pid(pid);
	if (inner >= 0 && ask_string(n, "os", "getpid", NULL, text, sizeof text) && strtoll(text, NULL, 10) != inner)
		return false;
	snprintf(path, sizeof path, "/proc/%d/ns/pid", (int)pid);
	ssize_t len = readlink(path, space, sizeof space - 1);
	space[len > 0 ? len : 0] = '\0';
	return len <= 0 || !ask_string(n, "file", "read_link", "/proc/self/ns/pid", text, sizeof text) ||
	       strcmp(text, space) == 0;
}

/* One try, named as beam_open() has it; `but` is a port that has refused already. Returns the port that did not lead to
 * the process, though the name on its command line did lead there, or 0. */
static unsigned
try_process(struct nodelink *n, const struct node_conf *c, bool named, unsigned but, bool *is_starting, struct why *why)
{
	char alive[256];
	struct beam b;
	struct why ignored;
	unsigned wrong = 0;
	beam_open(&b, (pid_t)c->pid, named, c->stop);
	*is_starting = b.is_starting;
	bool is_same = but && !b.nports; /* its sockets may not be seen */
	for (unsigned i = 0; but && i < b.nports; i++)
		is_same |= b.ports[i].port == but;
	if (is_same) {
		beam_close(&b);
		return but;
	}
	/* Where we may not look, it can be our own. A process of somebody else could pass our answer on to our node. */
	if (!b.ncookies && b.is_ours && read_cookie(b.cookies[0].text, sizeof b.cookies[0].text, &ignored))
		b.cookies[b.ncookies++].from = "~/.erlang.cookie";
	if (is_known(&b, n->sock.tunnel != NULL, why) && split_name(n, b.name, alive, sizeof alive, why)) {
		try_ports(n, &b, c->cookie, why);
		if (n->fd >= 0 ? !is_process(n, b.pid) : named && !node_stopped(n))
			wrong = b.ports[0].port;
	}
	if (n->fd < 0 && !why->text[0])
		why_set(why, "node %s, process %d: the connection was lost", n->name, (int)b.pid);
	if (wrong && n->fd >= 0) {
		why_set(why, "node %s is not process %d, on whose command line its name is", n->name, (int)b.pid);
		close(n->fd);
		n->fd = -1;
	}
	beam_close(&b);
	return wrong;
}

/* If the name on its command line does not lead to the process, its sockets are asked. One that has just been started
 * is waited for. */
static void
connect_process(struct nodelink *n, const struct node_conf *c, struct why *why)
{
	enum { LOOK_MS = 50 };
	struct why again = {.text = ""};
	bool is_starting;
	n->os_pid = c->pid;
	unsigned wrong = try_process(n, c, true, 0, &is_starting, why);
	while (is_starting && !node_stopped(n)) {
		nanosleep(&(struct timespec){.tv_nsec = LOOK_MS * 1000000L}, NULL);
		wrong = try_process(n, c, true, 0, &is_starting, why);
	}
	if (wrong && try_process(n, c, false, wrong, &is_starting, &again) != wrong && n->fd < 0)
		*why = again;
	if (n->fd >= 0)
		node_ask_name(n);
}

struct nodelink *
node_connect(const struct node_conf *c, struct why *why)
{
	struct nodelink *n = calloc(1, sizeof *n);
	if (!n) {
		why_set(why, "out of memory");
		return NULL;
	}
	n->fd = -1;
	n->slot = -1;
	n->sock = (struct node_sock){.fd = -1, .net = -1, .stop = c->stop, .tunnel = c->tunnel, .host = n->host};
	n->timeout = c->timeout ? c->timeout : 30000;
	if (c->otp)
		snprintf(n->otp, sizeof n->otp, "%s", c->otp);
	if (c->dir)
		snprintf(n->dir, sizeof n->dir, "%s", c->dir);
	ei_init();
	if (c->pid)
		connect_process(n, c, why);
	else
		connect_name(n, c, why);
	if (n->fd < 0 && node_stopped(n))
		why_set(why, "node %s: attaching was interrupted; the node did not answer", n->name);
	if (n->fd < 0) {
		give_name(n);
		free(n);
		return NULL;
	}
	return n;
}

bool
node_stopped(const struct nodelink *n)
{
	return n->sock.stop && atomic_load(n->sock.stop);
}
