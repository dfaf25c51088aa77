/*
 * strlen() counts the bytes before the NUL.
 */
#pragma D option quiet

BEGIN
{
	s = "hello";
	printf("%d %d %d %d\n", strlen(""), strlen("a"), strlen(s), strlen("a\0b"));
	exit(0);
}
