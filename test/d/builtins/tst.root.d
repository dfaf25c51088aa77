/*
 * root is the root of the file system.
 */
#pragma D option quiet

BEGIN
{
	printf("%s\n", root);
	exit(0);
}
