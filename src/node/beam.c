/* See beam.h. */
#include "node/beam.h"

#include "node/epmd.h"
#include "node/ns.h"
#include "node/within.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	TEXT = 64 << 10,
	WORDS = 8 << 20, /* more than the kernel allows for a command line and its environment */
	LISTENING = 256,
	OWN_COOKIES = 4,
};

bool
beam_is_name_option(const char *arg)
{
	return strcmp(arg, "-name") == 0 || strcmp(arg, "-sname") == 0 || strcmp(arg, "--name") == 0 ||
	       strcmp(arg, "--sname") == 0;
}

/* Reads a file of /proc: words, each with its NUL. Returns the length. */
static size_t
read_proc(pid_t pid, const char *file, char *text, size_t size)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(text, 1, size - 1, f) : 0;
	if (f)
		fclose(f);
	text[n] = '\0';
	return n;
}

/* The same of whole files, on the heap. Returns NULL if memory ran out. */
static char *
read_words(pid_t pid, const char *file, size_t *len)
{
	char path[64], *text = NULL;
	size_t size = 0;
	*len = 0;
	errno = 0;
	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
	FILE *f = fopen(path, "re");
	int err = errno;
	do {
		size = size ? 2 * size : TEXT;
		char *more = realloc(text, size);
		if (!more) {
			free(text);
			text = NULL;
			*len = 0;
			break;
		}
		text = more;
		size_t got = f ? fread(text + *len, 1, size - 1 - *len, f) : 0;
		*len += got;
		text[*len] = '\0';
	} while (*len == size - 1 && size < WORDS);
	if (f)
		fclose(f);
	if (!f)
		errno = err;
	return text;
}

bool
beam_is(pid_t pid)
{
	char path[64], exe[4096];
	snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
	ssize_t n = readlink(path, exe, sizeof exe - 1);
	if (n <= 0) /* It is somebody else's process: everybody can read its name. */
		n = (ssize_t)read_proc(pid, "comm", exe, sizeof exe);
	exe[n > 0 ? n : 0] = '\0';
	const char *base = strrchr(exe, '/');
	return strncmp(base ? base + 1 : exe, "beam", 4) == 0;
}

/* -- sockets ------------------------------------------------------------------------------------------------------- */

static int
by_number(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;
	return (x > y) - (x < y);
}

/* Finds the inodes of the sockets that the process has open: sorted, on the heap. */
static unsigned long *
own_sockets(pid_t pid, size_t *n)
{
	char path[64], link[4096], to[64];
	unsigned long *inodes = NULL, inode;
	size_t room = 0;
	snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
	DIR *d = opendir(path);
	*n = 0;
	for (struct dirent *e; d && (e = readdir(d));) {
		snprintf(link, sizeof link, "%s/%s", path, e->d_name);
		ssize_t len = readlink(link, to, sizeof to - 1);
		to[len > 0 ? len : 0] = '\0';
		if (sscanf(to, "socket:[%lu]", &inode) != 1)
			continue;
		if (*n == room) {
			unsigned long *more = realloc(inodes, (room = room ? 2 * room : 256) * sizeof *more);
			if (!more)
				break;
			inodes = more;
		}
		inodes[(*n)++] = inode;
	}
	if (d)
		closedir(d);
	if (*n)
		qsort(inodes, *n, sizeof *inodes, by_number);
	return inodes;
}

/* Where to connect to for an address as /proc writes it: words of hexadecimal digits in the machine's order. Who
 * listens at any address is reached by the loopback; by IPv6 perhaps only by that of IPv6. */
static struct beam_port
port_of(const char *hex, unsigned port)
{
	struct beam_port p = {.port = port};
	uint32_t words[4] = {0};
	bool is6 = strlen(hex) == 32;
	for (unsigned i = 0; i < (is6 ? 4 : 1); i++)
		sscanf(hex + 8 * i, "%8x", &words[i]);
	union node_end e = is6 ? end_here6(port) : end_here(port);
	if (is6)
		memcpy(&e.v6.sin6_addr, words, sizeof words);
	else if (words[0])
		e.v4.sin_addr.s_addr = words[0];
	p.ends[0] = e;
	if (is6 && (IN6_IS_ADDR_UNSPECIFIED(&e.v6.sin6_addr) || IN6_IS_ADDR_V4MAPPED(&e.v6.sin6_addr))) {
		p.ends[0] = end_here(port);
		if (words[3])
			p.ends[0].v4.sin_addr.s_addr = words[3];
		else
			p.ends[1] = end_here6(port);
	}
	return p;
}

/* Finds where the process listens, in its own network. Returns how many there are. */
static unsigned
listening(pid_t pid, struct beam_port *ports, unsigned max)
{
	static const char *const files[] = {"tcp", "tcp6"};
	size_t n;
	unsigned found = 0;
	unsigned long *inodes = own_sockets(pid, &n);
	for (unsigned i = 0; n && i < 2; i++) {
		char line[512], path[64], hex[40];
		snprintf(path, sizeof path, "/proc/%d/net/%s", (int)pid, files[i]);
		FILE *f = fopen(path, "re");
		if (f)
			setvbuf(f, NULL, _IOFBF, TEXT); /* the kernel begins anew with each read */
		while (f && found < max && fgets(line, sizeof line, f)) {
			unsigned port, state;
			unsigned long inode;
			/* slot, local address:port, remote, state, queues, timer, retransmits, uid, timeout, inode */
			if (sscanf(line, " %*[^:]: %39[^:]:%x %*[^ ] %x %*s %*s %*s %*s %*s %lu", hex, &port, &state,
				&inode) == 4 &&
			    state == 0x0a && bsearch(&inode, inodes, n, sizeof inode, by_number))
				ports[found++] = port_of(hex, port);
		}
		if (f)
			fclose(f);
	}
	free(inodes);
	return found;
}

bool
beam_listens(pid_t pid, unsigned port)
{
	struct beam_port ports[LISTENING];
	int net = ns_open(pid, "net");
	unsigned n = net < 0 ? listening(pid, ports, LISTENING) : 0;
	if (net >= 0)
		close(net);
	for (unsigned i = 0; i < n; i++)
		if (ports[i].port == port)
			return true;
	return false;
}

/* -- words --------------------------------------------------------------------------------------------------------- */

/* What the command line, the environment and vm.args say. */
struct said {
	char name[512], proto[64], home[1024], root[1024], boot[1024];
	char cookies[OWN_COOKIES][256]; /* with two of them, the VM takes none: then one that the program has set itself
					   may be among them */
	unsigned ncookies;
	unsigned long port; /* that the node is told to listen on; 0 if none */
	bool has_interface; /* told where to listen: not everywhere */
	bool no_listen;     /* told not to listen */
};

/* Leaves `to` as it is if there is no room. */
static void
copy(char *to, size_t size, const char *from)
{
	size_t len = strlen(from);
	if (len < size)
		memcpy(to, from, len + 1);
}

/* A node that others give its name does not listen. */
static void
take_name(struct said *s, const char *name)
{
	copy(s->name, sizeof s->name, name);
	s->no_listen |= strcmp(name, "undefined") == 0 || strncmp(name, "undefined@", 10) == 0;
}

/* Takes a word and the next two. */
static void
take(struct said *s, const char *word, const char *next, const char *third)
{
	if (strcmp(word, "-name") == 0 || strcmp(word, "-sname") == 0)
		take_name(s, next);
	else if (strcmp(word, "-setcookie") == 0 && s->ncookies < OWN_COOKIES && (!third[0] || strchr("-+", third[0])))
		copy(s->cookies[s->ncookies++], sizeof s->cookies[0], next); /* (otherwise it is for one other node) */
	else if (strcmp(word, "-proto_dist") == 0)
		copy(s->proto, sizeof s->proto, next);
	else if (strcmp(word, "-home") == 0)
		copy(s->home, sizeof s->home, next);
	else if (strcmp(word, "-root") == 0)
		copy(s->root, sizeof s->root, next);
	else if (strcmp(word, "-boot") == 0)
		copy(s->boot, sizeof s->boot, next);
	else if (strcmp(word, "-erl_epmd_port") == 0 || strcmp(word, "inet_dist_listen_min") == 0 ||
		 strcmp(word, "erl_epmd_node_listen_port") == 0)
		s->port = strtoul(next, NULL, 10);
	else if (strcmp(word, "inet_dist_use_interface") == 0)
		s->has_interface = true;
	else if (strcmp(word, "-dist_listen") == 0)
		s->no_listen |= strcmp(next, "false") == 0;
}

/* Words that each end with a NUL. What follows -extra is the program's own. */
static void
take_words(struct said *s, const char *text, size_t len)
{
	for (size_t at = 0, next; at < len && (next = at + strlen(text + at) + 1) < len; at = next) {
		size_t third = next + strlen(text + next) + 1;
		if (strcmp(text + at, "-extra") == 0)
			return;
		take(s, text + at, text + next, third < len ? text + third : "");
	}
}

/* Words with blanks between them, and comments from # to the end of the line: the text of vm.args, or $ERL_FLAGS. */
static void
take_text(struct said *s, char *text)
{
	size_t len = strlen(text);
	bool in_comment = false;
	char *to = text;
	for (const char *c = text; c < text + len; c++) {
		in_comment = in_comment ? *c != '\n' : *c == '#';
		bool is_blank = in_comment || isspace((unsigned char)*c);
		if (!is_blank && *c != '\'' && *c != '"')
			*to++ = *c;
		else if (is_blank && to > text && to[-1])
			*to++ = '\0';
	}
	if (to < text + len)
		*to++ = '\0';
	take_words(s, text, (size_t)(to - text));
}

/* Finds a variable among words that each end with a NUL. Returns "" if it is not set. */
static const char *
variable(const char *env, size_t len, const char *name)
{
	size_t n = strlen(name);
	for (size_t at = 0; at < len; at += strlen(env + at) + 1)
		if (strncmp(env + at, name, n) == 0 && env[at + n] == '=')
			return env + at + n + 1;
	return "";
}

struct naming {
	pid_t pid;
	char name[512];
};

static void
find_name(void *arg)
{
	struct naming *n = arg;
	struct said s = {.port = 0};
	size_t len;
	char *text = read_words(n->pid, "cmdline", &len);
	take_words(&s, text, len);
	copy(n->name, sizeof n->name, s.name);
	free(text);
}

static void
drop_name(void *arg)
{
	(void)arg;
}

bool
beam_said_name(pid_t pid, char *name, size_t size)
{
	struct naming *n = calloc(1, sizeof *n);
	name[0] = '\0';
	if (!n)
		return false;
	n->pid = pid;
	if (!within(BEAM_MS, NULL, find_name, drop_name, n))
		return false;
	copy(name, size, n->name);
	free(n);
	return true;
}

/* -- cookies ------------------------------------------------------------------------------------------------------- */

static void
add_cookie(struct beam *b, const char *text, const char *from)
{
	size_t len = strcspn(text, "\r\n");
	if (!len || len >= sizeof b->cookies->text || b->ncookies == BEAM_COOKIES)
		return;
	for (unsigned i = 0; i < b->ncookies; i++)
		if (strncmp(b->cookies[i].text, text, len) == 0 && !b->cookies[i].text[len])
			return;
	struct beam_cookie *c = &b->cookies[b->ncookies++];
	memcpy(c->text, text, len);
	c->text[len] = '\0';
	c->from = from;
}

static void
add_said(struct beam *b, const struct said *s, const char *from)
{
	for (unsigned i = 0; i < s->ncookies; i++)
		add_cookie(b, s->cookies[i], from);
}

static void
add_cookie_file(struct beam *b, const char *folder, const char *file, const char *from)
{
	char path[4096], text[512];
	snprintf(path, sizeof path, "%s/%s", folder, file);
	if (folder[0] && ns_read(b->pid, path, text, sizeof text))
		add_cookie(b, text, from);
}

/* Returns field n of a line of /etc/passwd, name:password:uid:gid:comment:home:shell, with its length. */
static const char *
passwd_field(const char *line, unsigned n, size_t *len)
{
	for (; n; n--) {
		line += strcspn(line, ":\n");
		line += *line == ':';
	}
	*len = strcspn(line, ":\n");
	return line;
}

/* The home of its user, as its own /etc/passwd has it. */
static void
find_home(const struct beam *b, char *home, size_t size)
{
	char *text = malloc(TEXT);
	uid_t user;
	gid_t group;
	if (text && ns_user(b->pid, &user, &group) && ns_read(b->pid, "/etc/passwd", text, TEXT))
		for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
			size_t len;
			const char *uid = passwd_field(at, 2, &len);
			if (!len || strtoul(uid, NULL, 10) != user)
				continue;
			const char *dir = passwd_field(at, 5, &len);
			if (len < size)
				snprintf(home, size, "%.*s", (int)len, dir);
		}
	free(text);
}

/* Leaves the folder of a path; "" if it has none. */
static void
to_folder(char *path)
{
	char *slash = strrchr(path, '/');
	*(slash ? slash : path) = '\0';
}

/* The VM takes a cookie from the command line, where erlexec also puts what vm.args and $ERL_FLAGS say, or otherwise
 * from the user's file. A release can set another one later, which it has in a variable or a file. */
static void
find_cookies(struct beam *b, const struct said *line, const char *env, size_t elen)
{
	static const char *const flags[] = {"ERL_AFLAGS", "ERL_FLAGS", "ERL_ZFLAGS"};
	char release[1024], version[1024] = "", home[1024] = "", *text = malloc(TEXT);
	const char *root = variable(env, elen, "RELEASE_ROOT"), *args = variable(env, elen, "RELEASE_VM_ARGS");
	add_said(b, line, "its command line");
	add_cookie(b, variable(env, elen, "RELEASE_COOKIE"), "$RELEASE_COOKIE of its environment");
	for (unsigned i = 0; text && i < 3; i++) {
		struct said s = {.port = 0};
		snprintf(text, TEXT, "%s", variable(env, elen, flags[i]));
		take_text(&s, text);
		add_said(b, &s, "the flags of its environment");
	}
	/* -boot is ROOT/releases/VERSION/start */
	copy(version, sizeof version, line->boot);
	to_folder(version);
	snprintf(release, sizeof release, "%s", version);
	to_folder(release);
	if (text && (args[0] || version[0])) {
		struct said s = {.port = 0};
		char path[4096];
		snprintf(path, sizeof path, "%s%s", args[0] ? args : version, args[0] ? "" : "/vm.args");
		if (ns_read(b->pid, path, text, TEXT)) {
			take_text(&s, text);
			add_said(b, &s, "its vm.args");
		}
	}
	add_cookie_file(b, root, "releases/COOKIE", "releases/COOKIE of its release");
	add_cookie_file(b, release, "COOKIE", "releases/COOKIE of its release");
	add_cookie_file(b, line->root, "releases/COOKIE", "releases/COOKIE of its release");
	add_cookie_file(b, line->home, ".erlang.cookie", ".erlang.cookie in its home");
	add_cookie_file(b, variable(env, elen, "HOME"), ".erlang.cookie", ".erlang.cookie in its home");
	find_home(b, home, sizeof home);
	add_cookie_file(b, home, ".erlang.cookie", ".erlang.cookie in its user's home");
	add_cookie_file(b, variable(env, elen, "XDG_CONFIG_HOME"), "erlang/.erlang.cookie", "its $XDG_CONFIG_HOME");
	add_cookie_file(b, home, ".config/erlang/.erlang.cookie", "its user's .config/erlang");
	free(text);
}

/* -- name and port ------------------------------------------------------------------------------------------------- */

struct asking {
	const struct beam *b;
	char alive[256]; /* whom we look for; "" for the one that listens where the process does */
	unsigned port;
};

static bool
has_port(const struct beam *b, unsigned long port)
{
	for (unsigned i = 0; i < b->nports; i++)
		if (b->ports[i].port == port)
			return true;
	return false;
}

static bool
is_it(void *arg, const char *alive, unsigned port)
{
	struct asking *a = arg;
	if (a->alive[0] ? strcmp(alive, a->alive) != 0 : !has_port(a->b, port))
		return true;
	copy(a->alive, sizeof a->alive, alive);
	a->port = port;
	return false;
}

/* Only this port is left. */
static void
keep_port(struct beam *b, unsigned port)
{
	struct beam_port kept = {{end_here(port), end_here6(port)}, port};
	for (unsigned i = 0; i < b->nports; i++)
		if (b->ports[i].port == port)
			kept = b->ports[i];
	b->ports[0] = kept;
	b->nports = 1;
}

static void
add_host(struct beam *b)
{
	char host[256];
	if (!b->name[0] || strchr(b->name, '@'))
		return;
	int uts = ns_open(b->pid, "uts");
	ns_host(uts, host, sizeof host);
	if (uts >= 0)
		close(uts);
	size_t len = strlen(b->name);
	if (host[0])
		snprintf(b->name + len, sizeof b->name - len, "@%s", host);
}

/* Reading all sockets of a machine takes some milliseconds, so epmd is asked first if it can know. */
static void
find_node(struct beam *b, const struct said *line, bool named, const char *env, size_t elen)
{
	unsigned long port = line->port ? line->port : strtoul(variable(env, elen, "ERL_DIST_PORT"), NULL, 10);
	unsigned long epmd = strtoul(variable(env, elen, "ERL_EPMD_PORT"), NULL, 10);
	struct asking a = {.b = b};
	b->epmd_port = epmd > 0 && epmd < 65536 ? (int)epmd : epmd_port();
	b->no_listen = line->no_listen;
	if (named)
		copy(b->name, sizeof b->name, line->name);
	copy(b->proto, sizeof b->proto, line->proto);
	if (b->no_listen) {
		copy(b->name, sizeof b->name, line->name);
		add_host(b);
		return;
	}
	snprintf(a.alive, sizeof a.alive, "%.*s", (int)strcspn(b->name, "@"), b->name);
	if (!port && a.alive[0])
		b->no_epmd = epmd_ask_inside(b->net, b->epmd_port, is_it, &a) != EPMD_ANSWERED;
	if (!a.port || line->has_interface)
		b->nports = listening(b->pid, b->ports, BEAM_PORTS);
	if (has_port(b, port))
		a.port = (unsigned)port;
	else if (!a.alive[0] && b->nports)
		b->no_epmd = epmd_ask_inside(b->net, b->epmd_port, is_it, &a) != EPMD_ANSWERED;
	if (a.port)
		keep_port(b, a.port);
	if (!b->name[0])
		copy(b->name, sizeof b->name, a.alive);
	/* it listens, and epmd has forgotten it */
	if (!b->name[0] && b->nports)
		copy(b->name, sizeof b->name, line->name);
	/* it listens, and names itself without epmd */
	if (!b->name[0] && b->nports && b->no_epmd)
		copy(b->name, sizeof b->name, variable(env, elen, "RELEASE_NODE"));
	add_host(b);
}

uint64_t
beam_age(pid_t pid)
{
	char text[1024];
	unsigned long long ticks = 0;
	struct timespec now;
	read_proc(pid, "stat", text, sizeof text);
	const char *at = strrchr(text, ')'); /* its name may have blanks; 19 fields come before the one that we want */
	for (unsigned i = 0; at && i < 20; i++)
		at = strchr(at + 1, ' ');
	if (!at || sscanf(at, "%llu", &ticks) != 1 || clock_gettime(CLOCK_BOOTTIME, &now) != 0)
		return UINT64_MAX;
	uint64_t begun = ticks * 1000 / (uint64_t)sysconf(_SC_CLK_TCK), ms = (uint64_t)now.tv_sec * 1000;
	return ms > begun ? ms - begun : 0;
}

struct beam_look {
	struct beam beam;
	bool named;
};

/* Its cookies are looked for as its own user: a process that names the files of somebody else must not make us answer
 * with their cookie, because it could pass our answer on to their node. */
static void
look(void *arg)
{
	struct beam_look *l = arg;
	struct beam *b = &l->beam;
	struct said line = {.port = 0};
	size_t len, elen;
	char *text = read_words(b->pid, "cmdline", &len), *env = read_words(b->pid, "environ", &elen);
	int err = errno;
	uid_t user;
	gid_t group;
	b->net = ns_open(b->pid, "net");
	b->sees_other = ns_other_files(b->pid);
	b->is_ours = !b->sees_other && ns_user(b->pid, &user, &group) && (user == geteuid() || user == 0);
	if (text && env) {
		take_words(&line, text, len);
		b->is_hidden = !elen && (err == EACCES || err == EPERM);
		find_node(b, &line, l->named, env, elen);
		b->is_starting = line.name[0] && !b->nports && !b->no_listen && beam_age(b->pid) < BEAM_YOUNG_MS;
		if (ns_become(b->pid))
			find_cookies(b, &line, env, elen);
	}
	free(text);
	free(env);
}

static void
drop(void *arg)
{
	beam_close(&((struct beam_look *)arg)->beam);
}

void
beam_open(struct beam *b, pid_t pid, bool named, const atomic_bool *stop)
{
	struct beam_look *l = calloc(1, sizeof *l);
	*b = (struct beam){.pid = pid, .net = -1, .is_stuck = true};
	if (!l)
		return;
	*l = (struct beam_look){.beam = {.pid = pid, .net = -1}, .named = named};
	if (!within(BEAM_MS, stop, look, drop, l))
		return;
	*b = l->beam;
	explicit_bzero(l, sizeof *l);
	free(l);
}

void
beam_close(struct beam *b)
{
	if (b->net >= 0)
		close(b->net);
	explicit_bzero(b->cookies, sizeof b->cookies);
	b->net = -1;
}

/* -- TLS ----------------------------------------------------------------------------------------------------------- */

bool
beam_is_tls(const char *proto)
{
	return strcmp(proto, "inet_tls") == 0 || strcmp(proto, "inet6_tls") == 0;
}

struct tls_look {
	pid_t pid;
	char options[TLS_OPTIONS];
	const char *why; /* they cannot be told, or NULL */
};

/* Adds a word; a file relative to the process's folder. Returns false if that cannot be told: then nothing may be. The
 * others alone could mean less safety, such as connections that verify nobody. */
static bool
add_option(struct tls_look *t, const char *word, bool is_file)
{
	char folder[4096] = "", path[64];
	size_t len = strlen(t->options);
	snprintf(path, sizeof path, "/proc/%d/cwd", (int)t->pid);
	ssize_t n = is_file && word[0] != '/' ? readlink(path, folder, sizeof folder - 2) : 0;
	if (n > 0)
		memcpy(folder + n, "/", 2);
	int wrote = snprintf(t->options + len, sizeof t->options - len, "%s%s%s", len ? " " : "", folder, word);
	t->why = n < 0 ? "the folder of the process, which a file is relative to, cannot be found out"
		 : !word[0] || strpbrk(folder, " \t\n") || strpbrk(word, " \t\n")
		     ? "they are told as words, and one of them is empty or has blanks"
		 : wrote < 0 || (size_t)wrote >= sizeof t->options - len ? "they are too long"
									 : NULL;
	if (t->why)
		t->options[0] = '\0';
	return !t->why;
}

/* The words of the command line that are options of TLS. */
static void
add_options(struct tls_look *t, const char *text, size_t len)
{
	bool taken = false, file = false;
	for (size_t at = 0; at < len; at += strlen(text + at) + 1) {
		const char *word = text + at;
		bool is_option = word[0] == '-';
		if (is_option)
			taken = strcmp(word, "-ssl_dist_optfile") == 0 || strcmp(word, "-ssl_dist_opt") == 0;
		if (taken && !add_option(t, word, file && !is_option))
			return;
		/* the word behind it: of -ssl_dist_opt, client_certfile and the like are followed by files */
		file = taken &&
		       (strcmp(word, "-ssl_dist_optfile") == 0 || strstr(word, "certfile") || strstr(word, "keyfile"));
	}
}

static void
look_for_tls(void *arg)
{
	struct tls_look *t = arg;
	struct said line = {.port = 0};
	uid_t user;
	gid_t group;
	size_t len;
	char *text = read_words(t->pid, "cmdline", &len);
	take_words(&line, text, len);
	if (beam_is_tls(line.proto) && !ns_other_files(t->pid) && ns_user(t->pid, &user, &group) &&
	    (user == geteuid() || user == 0))
		add_options(t, text, len);
	free(text);
}

static void
drop_tls(void *arg)
{
	(void)arg;
}

const char *
beam_tls_options(pid_t pid, const atomic_bool *stop, char *options, size_t size)
{
	struct tls_look *t = calloc(1, sizeof *t);
	options[0] = '\0';
	if (!t)
		return NULL;
	t->pid = pid;
	if (!within(BEAM_MS, stop, look_for_tls, drop_tls, t))
		return NULL; /* it belongs to the thread that hangs */
	const char *why = t->why;
	copy(options, size, t->options);
	free(t);
	return why;
}

bool
beam_name(pid_t pid, char *name, size_t size)
{
	struct beam b = {.pid = pid, .net = -1};
	b.is_stuck = !beam_said_name(pid, b.name, sizeof b.name);
	if (b.name[0])
		add_host(&b);
	else if (!b.is_stuck)
		beam_open(&b, pid, true, NULL);
	name[0] = '\0';
	copy(name, size, b.name);
	beam_close(&b);
	return !b.is_stuck;
}
