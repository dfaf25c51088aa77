/*
 * The option cppargs takes several words, parted by spaces.
 */
/* @@opts: -C -x cppargs="-DONE=1  -DTWO=2" */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", ONE, TWO);
	exit(0);
}
