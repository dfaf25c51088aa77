/*
 * fds[] describes open files: standard input here is /dev/null.
 */
/* @@engine: user fds[] is not known in the kernel */
#pragma D option quiet

BEGIN
{
	printf("%s %s %s\n", fds[0].fi_name, fds[0].fi_dirname, fds[0].fi_pathname);
	exit(0);
}
