/*
 * pty CMD…: runs a command whose standard output and error are a terminal, and copies everything that the terminal gets
 * to its own standard output, byte by byte. Ends with the command's status.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static void
die(const char *what)
{
	fprintf(stderr, "pty: %s: %s\n", what, strerror(errno));
	exit(99);
}

int
main(int argc, char **argv)
{
	struct termios t;
	char buf[4096], name[128];
	int status, master = posix_openpt(O_RDWR | O_NOCTTY);
	if (argc < 2)
		return 99;
	if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0 || ptsname_r(master, name, sizeof name) != 0)
		die("posix_openpt");
	int slave = open(name, O_RDWR | O_NOCTTY);
	if (slave < 0 || tcgetattr(slave, &t) != 0)
		die(name);
	cfmakeraw(&t);
	if (tcsetattr(slave, TCSANOW, &t) != 0)
		die("tcsetattr");
	pid_t pid = fork();
	if (pid < 0)
		die("fork");
	if (pid == 0) {
		dup2(slave, STDOUT_FILENO);
		dup2(slave, STDERR_FILENO);
		close(slave);
		close(master);
		execvp(argv[1], argv + 1);
		die(argv[1]);
	}
	close(slave);
	for (ssize_t n; (n = read(master, buf, sizeof buf)) > 0 || (n < 0 && errno == EINTR);)
		if (n > 0 && write(STDOUT_FILENO, buf, (size_t)n) != n)
			die("write");
	if (waitpid(pid, &status, 0) != pid)
		die("wait");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
