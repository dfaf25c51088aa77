/*
 * bcopy() copies out of a string.
 */
#pragma D option quiet

BEGIN
{
	a = (char *)alloca(8);
	bcopy("abcdef", a, 4);
	printf("%s\n", stringof(a));
	exit(0);
}
