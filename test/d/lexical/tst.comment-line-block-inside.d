/*
 * A block comment does not begin inside a line comment.
 */
#pragma D option quiet

BEGIN
{
	printf("a\n"); // here /* starts nothing
	printf("b\n"); // and */ ends nothing
	exit(0);
}
