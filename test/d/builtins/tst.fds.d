/*
 * fds[] describes open files: standard input here is /dev/null.
 */
#pragma D option quiet

BEGIN
{
	printf("%s %s %s\n", fds[0].fi_name, fds[0].fi_dirname, fds[0].fi_pathname);
	exit(0);
}
