/*
 * A function may be a statement of its own.
 */
#pragma D option quiet

BEGIN
{
	strlen("abc");
	alloca(8);
	printf("fine\n");
	exit(0);
}
