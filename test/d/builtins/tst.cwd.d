/*
 * cwd is an absolute path.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %s\n", strlen(cwd) > 0, substr(cwd, 0, 1));
	exit(0);
}
