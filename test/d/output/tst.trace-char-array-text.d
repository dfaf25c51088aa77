/*
 * trace() of an array of characters that are text is that text.
 */
#pragma D option quiet

char v[6];

BEGIN
{
	v[0] = 'h';
	v[1] = 'i';
	trace(v);
	exit(0);
}
