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
#include <unistd.h>

enum { TEXT = 64 << 10, SOCKETS = 1024 };

bool
beam_is_name_option(const char *arg)
{
	return strcmp(arg, "-name") == 0 || strcmp(arg, "-sname") == 0 || strcmp(arg, "--name") == 0 ||
	       strcmp(arg, "--sname") == 0;
}

static bool
is_cookie_option(const char *arg)
{
	return strcmp(arg, "-setcookie") == 0 || strcmp(arg, "--cookie") == 0;
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

/* Finds the inodes of the sockets that the process has open. */
static unsigned
own_sockets(pid_t pid, unsigned long *inodes, unsigned max)
{
	char path[64], link[4096], to[64];
	unsigned n = 0;
	snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
	DIR *d = opendir(path);
	for (struct dirent *e; d && n < max && (e = readdir(d));) {
		snprintf(link, sizeof link, "%s/%s", path, e->d_name);
		ssize_t len = readlink(link, to, sizeof to - 1);
		if (len <= 0)
			continue;
		to[len] = '\0';
		if (sscanf(to, "socket:[%lu]", &inodes[n]) == 1)
			n++;
	}
	if (d)
		closedir(d);
	return n;
}

/* Where to connect to for an address as /proc writes it: words of hexadecimal digits in the machine's order. Returns
 * false for what IPv4 does not reach. */
static bool
address_of(const char *hex, struct in_addr *to)
{
	static const char any6[] = "00000000000000000000000000000000", mapped[] = "0000000000000000FFFF0000";
	size_t len = strlen(hex);
	if (len == 32 && strcmp(hex, any6) != 0 && strncmp(hex, mapped, sizeof mapped - 1) != 0)
		return false;
	to->s_addr = len < 8 ? 0 : (in_addr_t)strtoul(hex + len - 8, NULL, 16);
	if (!to->s_addr)
		to->s_addr = htonl(INADDR_LOOPBACK);
	return true;
}

/* Finds where the process listens, in its own network. Returns how many there are. */
static unsigned
listening(pid_t pid, struct beam_port *ports, unsigned max)
{
	static const char *const files[] = {"tcp", "tcp6"};
	unsigned long inodes[SOCKETS];
	unsigned n = own_sockets(pid, inodes, SOCKETS), found = 0;
	for (unsigned i = 0; n && i < 2; i++) {
		char line[512], path[64], hex[40];
		snprintf(path, sizeof path, "/proc/%d/net/%s", (int)pid, files[i]);
		FILE *f = fopen(path, "re");
		if (f)
			setvbuf(f, NULL, _IOFBF, TEXT); /* the kernel begins anew with each read */
		while (f && found < max && fgets(line, sizeof line, f)) {
			unsigned port, state;
			unsigned long inode;
			struct in_addr address;
			/* slot, local address:port, remote, state, queues, timer, retransmits, uid, timeout, inode */
			if (sscanf(line, " %*[^:]: %39[^:]:%x %*[^ ] %x %*s %*s %*s %*s %*s %lu", hex, &port, &state,
				&inode) != 4 ||
			    state != 0x0a || !address_of(hex, &address))
				continue;
			bool is_own = false;
			for (unsigned k = 0; k < n && !is_own; k++)
				is_own = inodes[k] == inode;
			if (is_own)
				ports[found++] = (struct beam_port){address, port};
		}
		if (f)
			fclose(f);
	}
	return found;
}

bool
beam_listens(pid_t pid, unsigned port)
{
	struct beam_port ports[SOCKETS];
	int net = ns_open(pid, "net");
	unsigned n = net < 0 ? listening(pid, ports, SOCKETS) : 0;
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
	char name[512], cookie[256], proto[64], home[1024], root[1024], boot[1024];
	unsigned long port; /* that the node is told to listen on; 0 if none */
	bool has_interface; /* told where to listen: not everywhere */
};

/* Leaves `to` as it is if there is no room. */
static void
copy(char *to, size_t size, const char *from)
{
	size_t len = strlen(from);
	if (len < size)
		memcpy(to, from, len + 1);
}

/* Takes a word and the next one. */
static void
take(struct said *s, const char *word, const char *next)
{
	if (beam_is_name_option(word))
		copy(s->name, sizeof s->name, next);
	else if (is_cookie_option(word))
		copy(s->cookie, sizeof s->cookie, next);
	else if (strcmp(word, "-proto_dist") == 0)
		copy(s->proto, sizeof s->proto, next);
	else if (strcmp(word, "-home") == 0)
		copy(s->home, sizeof s->home, next);
	else if (strcmp(word, "-root") == 0)
		copy(s->root, sizeof s->root, next);
	else if (strcmp(word, "-boot") == 0)
		copy(s->boot, sizeof s->boot, next);
	else if (strcmp(word, "-erl_epmd_port") == 0 || strcmp(word, "inet_dist_listen_min") == 0)
		s->port = strtoul(next, NULL, 10);
	else if (strcmp(word, "inet_dist_use_interface") == 0)
		s->has_interface = true;
}

/* Words that each end with a NUL. */
static void
take_words(struct said *s, const char *text, size_t len)
{
	for (size_t at = 0, next; at < len && (next = at + strlen(text + at) + 1) < len; at = next)
		take(s, text + at, text + next);
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
	char *text = malloc(TEXT);
	size_t len = text ? read_proc(n->pid, "cmdline", text, TEXT) : 0;
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
	add_cookie(b, line->cookie, "its command line");
	add_cookie(b, variable(env, elen, "RELEASE_COOKIE"), "$RELEASE_COOKIE of its environment");
	for (unsigned i = 0; text && i < 3; i++) {
		struct said s = {.port = 0};
		snprintf(text, TEXT, "%s", variable(env, elen, flags[i]));
		take_text(&s, text);
		add_cookie(b, s.cookie, "the flags of its environment");
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
			add_cookie(b, s.cookie, "its vm.args");
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
	struct in_addr address = {htonl(INADDR_LOOPBACK)};
	for (unsigned i = 0; i < b->nports; i++)
		if (b->ports[i].port == port)
			address = b->ports[i].address;
	b->ports[0] = (struct beam_port){address, port};
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
find_node(struct beam *b, const struct said *line, const char *env, size_t elen)
{
	unsigned long port = line->port ? line->port : strtoul(variable(env, elen, "ERL_DIST_PORT"), NULL, 10);
	unsigned long epmd = strtoul(variable(env, elen, "ERL_EPMD_PORT"), NULL, 10);
	struct asking a = {.b = b};
	b->epmd_port = epmd > 0 && epmd < 65536 ? (int)epmd : epmd_port();
	copy(b->name, sizeof b->name, line->name);
	copy(b->proto, sizeof b->proto, line->proto);
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
	/* it listens, and names itself without epmd */
	if (!b->name[0] && b->nports && b->no_epmd)
		copy(b->name, sizeof b->name, variable(env, elen, "RELEASE_NODE"));
	add_host(b);
}

/* Its cookies are looked for as its own user: a process that names the files of somebody else must not make us answer
 * with their cookie, because it could pass our answer on to their node. */
static void
look(void *arg)
{
	struct beam *b = arg;
	struct said line = {.port = 0};
	char *text = malloc(TEXT), *env = malloc(TEXT);
	uid_t user;
	gid_t group;
	b->net = ns_open(b->pid, "net");
	b->sees_other = ns_other_files(b->pid);
	b->is_ours = !b->sees_other && ns_user(b->pid, &user, &group) && (user == geteuid() || user == 0);
	if (text && env) {
		take_words(&line, text, read_proc(b->pid, "cmdline", text, TEXT));
		errno = 0;
		size_t elen = read_proc(b->pid, "environ", env, TEXT);
		b->is_hidden = !elen && (errno == EACCES || errno == EPERM);
		find_node(b, &line, env, elen);
		if (ns_become(b->pid))
			find_cookies(b, &line, env, elen);
	}
	free(text);
	free(env);
}

static void
drop(void *arg)
{
	beam_close(arg);
}

void
beam_open(struct beam *b, pid_t pid, const atomic_bool *stop)
{
	struct beam *looked = calloc(1, sizeof *looked);
	*b = (struct beam){.pid = pid, .net = -1, .is_stuck = true};
	if (!looked)
		return;
	*looked = (struct beam){.pid = pid, .net = -1};
	if (!within(BEAM_MS, stop, look, drop, looked))
		return;
	*b = *looked;
	explicit_bzero(looked, sizeof *looked);
	free(looked);
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

struct tls_look {
	pid_t pid;
	char options[TLS_OPTIONS];
};

/* Adds a word; a file relative to the process's folder. What cannot be told as words is not told at all. */
static void
add_option(struct tls_look *t, const char *word, bool is_file)
{
	char folder[1024] = "", path[64];
	size_t len = strlen(t->options);
	snprintf(path, sizeof path, "/proc/%d/cwd", (int)t->pid);
	ssize_t n = is_file && word[0] != '/' ? readlink(path, folder, sizeof folder - 2) : 0;
	if (n > 0)
		memcpy(folder + n, "/", 2);
	int wrote = snprintf(t->options + len, sizeof t->options - len, "%s%s%s", len ? " " : "", folder, word);
	if (n < 0 || wrote < 0 || (size_t)wrote >= sizeof t->options - len || strpbrk(folder, " \t\n") ||
	    strpbrk(word, " \t\n"))
		t->options[0] = '\0';
}

static void
look_for_tls(void *arg)
{
	struct tls_look *t = arg;
	struct said line = {.port = 0};
	char *text = malloc(TEXT);
	uid_t user;
	gid_t group;
	size_t len = text ? read_proc(t->pid, "cmdline", text, TEXT) : 0;
	take_words(&line, text, len);
	if (strcmp(line.proto, "inet_tls") == 0 && !ns_other_files(t->pid) && ns_user(t->pid, &user, &group) &&
	    (user == geteuid() || user == 0)) {
		bool taken = false, file = false;
		for (size_t at = 0; at < len; at += strlen(text + at) + 1) {
			const char *word = text + at;
			bool is_option = word[0] == '-';
			if (is_option)
				taken = strcmp(word, "-ssl_dist_optfile") == 0 || strcmp(word, "-ssl_dist_opt") == 0;
			if (taken)
				add_option(t, word, file && !is_option);
			/* the word behind it: of -ssl_dist_opt, client_certfile and the like are followed by files */
			file = taken && (strcmp(word, "-ssl_dist_optfile") == 0 || strstr(word, "certfile") ||
					    strstr(word, "keyfile"));
		}
	}
	free(text);
}

static void
drop_tls(void *arg)
{
	(void)arg;
}

void
beam_tls_options(pid_t pid, const atomic_bool *stop, char *options, size_t size)
{
	struct tls_look *t = calloc(1, sizeof *t);
	options[0] = '\0';
	if (!t)
		return;
	t->pid = pid;
	if (!within(BEAM_MS, stop, look_for_tls, drop_tls, t))
		return; /* it belongs to the thread that hangs */
	copy(options, size, t->options);
	free(t);
}

bool
beam_name(pid_t pid, char *name, size_t size)
{
	struct beam b = {.pid = pid, .net = -1};
	b.is_stuck = !beam_said_name(pid, b.name, sizeof b.name);
	if (b.name[0])
		add_host(&b);
	else if (!b.is_stuck)
		beam_open(&b, pid, NULL);
	name[0] = '\0';
	copy(name, size, b.name);
	beam_close(&b);
	return !b.is_stuck;
}
