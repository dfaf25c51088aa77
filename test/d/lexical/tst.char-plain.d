/*
 * A character literal is the code of its character, as an int.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d\n", 'a', 'Z', '0', ' ');
	printf("%d\n", sizeof ('a'));
	exit(0);
}
