/*
 * strlen() of a string cut at strsize counts what is left.
 */
#pragma D option quiet

#pragma D option strsize=5

BEGIN
{
	printf("%d\n", strlen("abcdefgh"));
	exit(0);
}
