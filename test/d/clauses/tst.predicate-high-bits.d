/*
 * A predicate is tested with all its 64 bits.
 */
#pragma D option quiet

BEGIN
/0x100000000/
{
	printf("ran\n");
}

BEGIN
{
	exit(0);
}
