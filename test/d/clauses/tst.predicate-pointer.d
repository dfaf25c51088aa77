/*
 * A predicate may be a pointer.
 */
#pragma D option quiet

BEGIN
{
	p = (int *)1;
}

BEGIN
/p/
{
	printf("ran\n");
	exit(0);
}
