/*
 * Asserts that setopt("quiet") takes effect for what follows.
 *
 * @@stdout: quiet now
 */

BEGIN
{
	setopt("quiet");
}

BEGIN
{
	printf("quiet now\n");
	exit(0);
}
