/*
 * A literal of several characters holds them with the first in the highest byte.
 */
#pragma D option quiet

BEGIN
{
	printf("%x %x %x\n", 'ab', 'abcd', 'abcdefgh');
	exit(0);
}
