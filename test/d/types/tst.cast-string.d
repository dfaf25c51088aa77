/*
 * (string) does what stringof does.
 */
#pragma D option quiet

BEGIN
{
	p = (char *)alloca(4);
	p[0] = 'o';
	p[1] = 'k';
	printf("%s\n", (string)p);
	exit(0);
}
