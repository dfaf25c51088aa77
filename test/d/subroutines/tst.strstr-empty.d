/*
 * strstr() of the empty string is the whole string.
 */
#pragma D option quiet

BEGIN
{
	printf("%s\n", strstr("foo", ""));
	exit(0);
}
