/*
 * Finds a node and connects: host, epmd, port, cookie, each step with its own error.
 */
#include "node/epmd.h"
#include "node/node.h"

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

static int
lookup(struct nodelink *n, const char *alive, struct why *why)
{
	static const char loopback[] = "127.0.0.1";
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list;
	char port[16];
	snprintf(port, sizeof port, "%d", epmd_port());
	n->address = n->host;
	int err = getaddrinfo(n->address, port, &hints, &list);
	/* the network need not know this machine's own name */
	if (err && n->is_local && getaddrinfo(loopback, port, &hints, &list) == 0) {
		n->address = loopback;
		err = 0;
	}
	if (err) {
		why_set(why, "node %s: the host '%s' is not known: %s", n->name, n->host, gai_strerror(err));
		return -1;
	}
	unsigned limit = n->timeout < EPMD_MS ? n->timeout : EPMD_MS; /* it does little and is never busy for long */
	struct looking l = {.alive = alive};
	enum epmd_answer answer = epmd_ask(list, limit, n->sock.stop, look_for, &l);
	err = errno;
	freeaddrinfo(list);
	if (answer == EPMD_NONE)
		why_set(why, "node %s: no epmd answers on %s port %s: %s; is a distributed node running there?",
		    n->name, n->host, port, strerror(err));
	else if (answer == EPMD_SILENT)
		why_set(why, "node %s: epmd on %s did not answer", n->name, n->host);
	else if (!l.port)
		why_set(why, "node %s: epmd on %s does not know the name '%s'; it knows: %s", n->name, n->host, alive,
		    l.others[0] ? l.others : "none");
	return l.port ? (int)l.port : -1;
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
		      strcmp(n->host, self) == 0 || (strlen(shorter) == host && strncmp(shorter, self, host) == 0);
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
	bool is_long = strchr(n->host, '.') != NULL;
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
shake_hands(struct nodelink *n, int port, const char *cookie, struct why *why)
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
		n->fd = ei_connect_host_port_tmo(&n->ec, (char *)(uintptr_t)n->address, port, n->timeout);
		if (n->fd < 0 && (erl_errno == ETIMEDOUT || node_stopped(n)))
			break;
	}
	return n->fd >= 0;
}

struct nodelink *
node_connect(const struct node_conf *c, struct why *why)
{
	char alive[256], cookie[512];
	struct nodelink *n = calloc(1, sizeof *n);
	if (!n) {
		why_set(why, "out of memory");
		return NULL;
	}
	n->fd = -1;
	n->slot = -1;
	n->sock = (struct node_sock){.fd = -1, .stop = c->stop};
	n->timeout = c->timeout ? c->timeout : 30000;
	if (c->otp)
		snprintf(n->otp, sizeof n->otp, "%s", c->otp);
	if (c->dir)
		snprintf(n->dir, sizeof n->dir, "%s", c->dir);
	int port = -1;
	if (split_name(n, c->name, alive, sizeof alive, why)) {
		snprintf(cookie, sizeof cookie, "%s", c->cookie ? c->cookie : "");
		if (c->cookie || read_cookie(cookie, sizeof cookie, why))
			port = lookup(n, alive, why);
	}
	if (port > 0) {
		ei_init();
		why->text[0] = '\0';
		if (!shake_hands(n, port, cookie, why) && !why->text[0])
			why_set(why, "node %s: it answers on port %d but refused the connection: %s", n->name, port,
			    erl_errno == ETIMEDOUT ? "time-out"
			    : c->cookie ? "the cookie given with --cookie or $ERLTRACE_COOKIE is not its cookie"
					: "the cookie in ~/.erlang.cookie is not its cookie; give it with --cookie");
	}
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
