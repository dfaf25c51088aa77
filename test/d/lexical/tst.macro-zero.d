/*
 * $$0 is the name of the script.
 */
#pragma D option quiet

BEGIN
{
	printf("%s\n", basename($$0));
	exit(0);
}
