/*
 * Running the C preprocessor. The program goes in through a pipe; text and messages come back through two more. One
 * poll loop serves all three, so that neither side ever waits for the other, however large the program is.
 */
#include "lang/cpp.h"

#include "base/sbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST_MESSAGES = 4000 }; /* at most so many bytes of its messages are kept */

/* Everything that must be given back however the run ends. */
struct preprocessor {
	pid_t pid;
	int in, out, err; /* our ends; -1 if closed */
	struct sbuf text, said;
	VEC(const char *) argv;
};

static void
add_arg(struct cc *cc, struct preprocessor *r, const char *s)
{
	VEC_PUSH(cc->ar, &r->argv, s);
}

/* Adds each part of a list option, with a prefix. `between` has the characters that separate parts. */
static void
add_list(struct cc *cc, struct preprocessor *r, enum opt_id id, const char *prefix, const char *between)
{
	const char *s = cc->opts->str[id];
	while (s && *s) {
		size_t n = strcspn(s, between);
		if (n)
			add_arg(cc, r, ar_printf(cc->ar, "%s%.*s", prefix, (int)n, s));
		s += n + (s[n] != '\0');
	}
}

static void
build_args(struct cc *cc, struct preprocessor *r, const char *dir)
{
	const char *path = cc->opts->str[OPT_CPPPATH], *stdc = cc->opts->str[OPT_STDC];
	add_arg(cc, r, path && *path ? path : "cpp");
	if (stdc && strcmp(stdc, "s") == 0)
		add_arg(cc, r, "-traditional-cpp");
	else if (stdc && strcmp(stdc, "c") == 0)
		add_arg(cc, r, "-std=c99");
	else if (stdc && strcmp(stdc, "a") == 0)
		add_arg(cc, r, "-std=gnu99");
	else if (stdc && strcmp(stdc, "t") == 0)
		add_arg(cc, r, "-std=gnu89");
	static const char *const defines[] = {"-D__unix=1", "-D__unix__=1", "-D__SUNW_D=1",
	    "-D__SUNW_D_VERSION=0x01060003", "-D__SUNW_D_64=1", "-D__ERLTRACE=1"};
	for (size_t i = 0; i < sizeof defines / sizeof defines[0]; i++)
		add_arg(cc, r, defines[i]);
	/* Keywords of GNU C, which system headers are full of and D does not know. */
	static const char *const gnu[] = {"-D__attribute=__attribute__",
	    "-D__asm__(x)=", "-D__asm(x)=", "-D__alignof__(x)=sizeof(x)", "-D__extension__=", "-D__restrict=restrict",
	    "-D__restrict__=restrict", "-D__inline=inline", "-D__inline__=inline", "-D__const=const",
	    "-D__volatile__=volatile", "-D__signed__=signed", "-D__builtin_va_list=void *",
	    "-D_Noreturn=", "-D_Atomic=", "-D_Float128=long double", "-D_Float64x=long double", "-D_Float64=double",
	    "-D_Float32x=double", "-D_Float32=float"};
	for (size_t i = 0; i < sizeof gnu / sizeof gnu[0]; i++)
		add_arg(cc, r, gnu[i]);
	if (cc->opts->num[OPT_CPPHDRS])
		add_arg(cc, r, "-H");
	if (dir) {
		add_arg(cc, r, "-iquote");
		add_arg(cc, r, dir);
	}
	add_list(cc, r, OPT_INCDIR, "-I", "\n");
	add_list(cc, r, OPT_DEFINE, "-D", "\n");
	add_list(cc, r, OPT_UNDEF, "-U", "\n");
	add_list(cc, r, OPT_CPPARGS, "", " \t\n");
	add_arg(cc, r, "-");
	add_arg(cc, r, NULL);
}

static void
close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Starts it with the three pipes. Returns 0 or an errno. With -H its messages are for the user, so they go where
 * ours go. */
static int
start(struct preprocessor *r, bool show_headers)
{
	int p[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}}, e = 0;
	for (int i = 0; i < 3 && !e; i++)
		if (pipe2(p[i], O_CLOEXEC) < 0)
			e = errno;
	posix_spawn_file_actions_t fa;
	posix_spawnattr_t at;
	bool has_fa = false, has_at = false;
	if (!e && !(e = posix_spawn_file_actions_init(&fa)))
		has_fa = true;
	if (!e && !(e = posix_spawnattr_init(&at)))
		has_at = true;
	if (!e)
		e = posix_spawn_file_actions_adddup2(&fa, p[0][0], 0);
	if (!e)
		e = posix_spawn_file_actions_adddup2(&fa, p[1][1], 1);
	if (!e && !show_headers)
		e = posix_spawn_file_actions_adddup2(&fa, p[2][1], 2);
	if (!e) {
		/* The preprocessor must not inherit the host program's handlers or its ignored SIGPIPE. */
		sigset_t all, none;
		sigfillset(&all);
		sigemptyset(&none);
		posix_spawnattr_setsigdefault(&at, &all);
		posix_spawnattr_setsigmask(&at, &none);
		posix_spawnattr_setflags(&at, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
		/* execve takes char *const *, but does not write to the strings. */
		char *const *argv = (char *const *)(uintptr_t)r->argv.at;
		e = posix_spawnp(&r->pid, argv[0], &fa, &at, argv, environ);
	}
	if (has_fa)
		posix_spawn_file_actions_destroy(&fa);
	if (has_at)
		posix_spawnattr_destroy(&at);
	close_fd(&p[0][0]);
	close_fd(&p[1][1]);
	close_fd(&p[2][1]);
	r->in = p[0][1];
	r->out = p[1][0];
	r->err = p[2][0];
	if (e) {
		close_fd(&r->in);
		close_fd(&r->out);
		close_fd(&r->err);
	} else
		fcntl(r->in, F_SETFL, O_NONBLOCK);
	return e;
}

static void
drain(int *fd, struct sbuf *to, size_t most)
{
	char buf[65536];
	ssize_t n = read(*fd, buf, sizeof buf);
	if (n > 0 && to->len < most)
		sb_add(to, buf, (size_t)n);
	else if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
		close_fd(fd);
}

/* Writes to a pipe whose reader may be gone, without raising a signal in the host program. */
static ssize_t
write_quietly(int fd, const void *p, size_t n)
{
	sigset_t pipe_set, old, pending;
	sigemptyset(&pipe_set);
	sigaddset(&pipe_set, SIGPIPE);
	sigpending(&pending);
	pthread_sigmask(SIG_BLOCK, &pipe_set, &old);
	ssize_t r = write(fd, p, n);
	int e = errno;
	if (r < 0 && e == EPIPE && !sigismember(&pending, SIGPIPE)) {
		struct timespec zero = {0};
		while (sigtimedwait(&pipe_set, NULL, &zero) < 0 && errno == EINTR)
			;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	errno = e;
	return r;
}

/* The preprocessor must not see a first line that names an interpreter. It does get that line's newline, so that
 * line numbers stay right. */
static size_t
interpreter_line(const struct cc *cc)
{
	const char *end = cc->len >= 2 && memcmp(cc->text, "#!", 2) == 0 ? memchr(cc->text, '\n', cc->len) : NULL;
	return end ? (size_t)(end - cc->text) : 0;
}

static void
serve(struct cc *cc, struct preprocessor *r)
{
	size_t sent = interpreter_line(cc);
	while (r->out >= 0 || r->err >= 0) {
		if (r->in >= 0 && sent == cc->len)
			close_fd(&r->in);
		struct pollfd fds[3] = {{r->in, POLLOUT, 0}, {r->out, POLLIN, 0}, {r->err, POLLIN, 0}};
		if (poll(fds, 3, -1) < 0) {
			if (errno == EINTR)
				continue;
			break;
		}
		if (fds[0].revents) {
			ssize_t n = write_quietly(r->in, cc->text + sent, cc->len - sent);
			if (n > 0)
				sent += (size_t)n;
			else if (n < 0 && errno != EINTR && errno != EAGAIN)
				close_fd(&r->in);
		}
		if (fds[1].revents)
			drain(&r->out, &r->text, SIZE_MAX);
		if (fds[2].revents)
			drain(&r->err, &r->said, MOST_MESSAGES);
	}
	close_fd(&r->in);
	close_fd(&r->out);
	close_fd(&r->err);
}

/* A message about the program itself ("<stdin>:3:10: fatal error: x.h: …") is shown at its place in the program. */
static void
fail_at(struct cc *cc, const char *said)
{
	struct pos pos = {.file = cc->file, .len = 1};
	int text = 0;
	if (sscanf(said, "<stdin>:%u:%u: %*[a-z ]: %n", &pos.line, &pos.col, &text) != 2) {
		pos.col = 1;
		sscanf(said, "<stdin>:%u: %*[a-z ]: %n", &pos.line, &text);
	}
	if (!text || !pos.line || !pos.col)
		return;
	const char *line = cc->text, *end = cc->text + cc->len;
	for (uint32_t i = 1; i < pos.line && line; i++) {
		const char *nl = memchr(line, '\n', (size_t)(end - line));
		line = nl ? nl + 1 : NULL;
	}
	if (!line || (size_t)(end - line) < pos.col)
		return;
	pos.off = (uint32_t)(line - cc->text) + pos.col - 1;
	cc_error(cc, pos, "D_UNKNOWN", "failed to preprocess the program: %s", said + text);
}

char *
cpp_run(struct cc *cc, const char *dir, size_t *len)
{
	struct preprocessor r = {.in = -1, .out = -1, .err = -1};
	build_args(cc, &r, dir);
	const char *name = r.argv.at[0];
	int e = start(&r, cc->opts->num[OPT_CPPHDRS] != 0);
	if (e)
		cc_error_hint(cc, (struct pos){0}, "D_UNKNOWN", "install cpp, or set option cpppath to where it is",
		    "failed to run the preprocessor %s: %s", name, strerror(e));
	serve(cc, &r);
	int status = 0;
	while (waitpid(r.pid, &status, 0) < 0 && errno == EINTR)
		;
	bool ok = WIFEXITED(status) && WEXITSTATUS(status) == 0 && !r.text.failed && !r.said.failed;
	/* The first line of its messages is the error. It is copied before anything can jump. */
	char said[512] = "";
	if (r.said.at) {
		const char *s = r.said.at, *hit = strstr(s, "error:");
		while (hit && hit > s && hit[-1] != '\n')
			hit--;
		s = hit ? hit : s;
		size_t n = strcspn(s, "\n");
		n = n < sizeof said - 1 ? n : sizeof said - 1;
		memcpy(said, s, n);
		said[n] = '\0';
	}
	bool no_memory = r.text.failed || r.said.failed;
	*len = r.text.len;
	char *text = NULL;
	if (ok)
		text = sb_take(&r.text);
	sb_free(&r.text);
	sb_free(&r.said);
	if (ok && text)
		return text;
	if (ok || no_memory)
		longjmp(*cc->fail, 1);
	if (WIFSIGNALED(status))
		cc_error(
		    cc, (struct pos){0}, "D_UNKNOWN", "preprocessor %s was ended by signal %d", name, WTERMSIG(status));
	fail_at(cc, said);
	if (*said)
		cc_error(cc, (struct pos){0}, "D_UNKNOWN", "failed to preprocess the program: %s", said);
	cc_error(cc, (struct pos){0}, "D_UNKNOWN", "failed to preprocess the program: %s ended with status %d", name,
	    WEXITSTATUS(status));
}
