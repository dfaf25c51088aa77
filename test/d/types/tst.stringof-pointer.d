/*
 * stringof reads a string at a pointer.
 */
#pragma D option quiet

BEGIN
{
	p = (char *)alloca(4);
	p[0] = 'x';
	p[1] = 'y';
	printf("[%s] %d\n", stringof(p), strlen(stringof(p)));
	exit(0);
}
