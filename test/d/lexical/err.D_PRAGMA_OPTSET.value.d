/*
 * #pragma D option refuses a value that the option can't have.
 */
#pragma D option quiet

#pragma D option strsize=notasize
BEGIN
{
	exit(0);
}
