/* The options of TLS that the command line of a process has are told as words, with files by their whole paths: all of
 * them, or none and the reason. */
#include "node/beam.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { LONG = 3000 };

/* Looks at a process that has these words behind -proto_dist inet_tls, in a folder, or in none if that is NULL. */
static const char *
look(const char *folder, const char *const *words, char *options)
{
	char gone[] = "/tmp/node_beam-XXXXXX";
	const char *argv[32] = {"sh", "-c", "echo; read line", "erl", "-proto_dist", "inet_tls"};
	int in[2], out[2], n = 6;
	char line;
	while ((argv[n] = words[n - 6]))
		n++;
	assert_int_equal(pipe(in) | pipe(out), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		if (!freopen("/dev/null", "w", stderr)) /* the shell may miss its folder */
			_exit(1);
		if (chdir(folder ? folder : mkdtemp(gone)) == 0 && (folder || rmdir(gone) == 0))
			execv("/bin/sh", (char *const *)(uintptr_t)argv);
		_exit(1);
	}
	close(in[0]);
	close(out[1]);
	assert_int_equal(read(out[0], &line, 1), 1); /* it is the shell by now */
	const char *why = beam_tls_options(pid, NULL, options, TLS_OPTIONS);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(in[1]);
	close(out[0]);
	return why;
}

static void
told(const char *folder, const char *const *words, const char *expected)
{
	char options[TLS_OPTIONS];
	assert_null(look(folder, words, options));
	assert_string_equal(options, expected);
}

static void
untold(const char *folder, const char *const *words, const char *reason)
{
	char options[TLS_OPTIONS];
	const char *why = look(folder, words, options);
	assert_string_equal(options, "");
	assert_non_null(why);
	assert_non_null(strstr(why, reason));
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void
words(void **state)
{
	(void)state;
	told("/", WORDS("-setcookie", "x"), "");
	told("/tmp", WORDS("-ssl_dist_optfile", "a/b.conf", "-setcookie", "x"), "-ssl_dist_optfile /tmp/a/b.conf");
	told("/tmp",
	    WORDS("-ssl_dist_opt", "client_verify", "verify_peer", "client_cacertfile", "ca", "-name", "n",
		"-ssl_dist_opt", "client_keyfile", "/k"),
	    "-ssl_dist_opt client_verify verify_peer client_cacertfile /tmp/ca -ssl_dist_opt client_keyfile /k");
}

/* What comes after a word that cannot be told is not told either. */
static void
all_or_none(void **state)
{
	char blank[] = "/tmp/node beam-XXXXXX", big[LONG + 1];
	(void)state;
	const char *const *after_blank = WORDS(
	    "-ssl_dist_opt", "client_verify", "verify_peer", "client_cacertfile", "/my dir/ca", "client_keyfile", "/k");
	untold("/", after_blank, "blanks");
	untold("/", WORDS("-ssl_dist_opt", "client_cacertfile", "", "client_keyfile", "/k"), "blanks");
	const char *const *relative =
	    WORDS("-ssl_dist_opt", "client_verify", "verify_peer", "client_cacertfile", "ca", "client_keyfile", "/k");
	assert_non_null(mkdtemp(blank));
	untold(blank, relative, "blanks");
	rmdir(blank);
	untold(NULL, relative, "blanks"); /* its path ends with " (deleted)" */
	memset(big, 'a', LONG);
	big[LONG] = '\0';
	untold("/", WORDS("-ssl_dist_opt", "client_verify", "verify_peer", big, big, big, "client_keyfile", "/k"),
	    "too long");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(words),
	    cmocka_unit_test(all_or_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
