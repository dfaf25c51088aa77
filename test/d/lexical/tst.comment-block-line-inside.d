/*
 * Two slashes inside a block comment mean nothing.
 */
#pragma D option quiet

BEGIN
{
	printf("a\n"); /* // */ printf("b\n");
	exit(0);
}
