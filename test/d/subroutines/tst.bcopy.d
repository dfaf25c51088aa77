/*
 * bcopy() copies from its first to its second argument.
 */
#pragma D option quiet

BEGIN
{
	a = (char *)alloca(8);
	b = (char *)alloca(8);
	a[0] = 'h';
	a[1] = 'i';
	bcopy(a, b, 3);
	a[0] = 'x';
	printf("%s %s\n", stringof(a), stringof(b));
	exit(0);
}
