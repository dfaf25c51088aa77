/*
 * Asserts that bcopy() and copyinto() write to memory of alloca() only, never into a variable.
 */

#pragma D option quiet

string s;

ERROR
/arg4 == DTRACEFLT_BADADDR/
{
	n++;
}

BEGIN
{
	s = "abcdef";
	bcopy("XYZ", s, 3);
	printf("not reached\n");
}

BEGIN
{
	copyinto((uintptr_t)alloca(3), 3, s);
	printf("not reached\n");
}

BEGIN
{
	printf("%s %d", s, n);
	exit(0);
}
