/*
 * root is the root of the file system.
 */
/* @@engine: user root is not known in the kernel */
#pragma D option quiet

BEGIN
{
	printf("%s\n", root);
	exit(0);
}
