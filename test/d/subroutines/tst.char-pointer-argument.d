/*
 * A char pointer or a char array may be given for a string.
 */
#pragma D option quiet

char c[6];

BEGIN
{
	p = (char *)alloca(4);
	p[0] = 'a';
	p[1] = 'b';
	c[0] = 'c';
	printf("%s %d\n", strjoin(p, c), strlen(c));
	exit(0);
}
