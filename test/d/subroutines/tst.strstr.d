/*
 * strstr() gives the string from the first place of another on.
 */
#pragma D option quiet

BEGIN
{
	printf("%s %s %d\n", strstr("foobarbaz", "bar"), strstr("foo", "foo"), strstr("foo", "bar") == NULL);
	exit(0);
}
