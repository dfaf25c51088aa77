/*
 * The separators may change from call to call; the one that ended a token is then part of the next.
 */
#pragma D option quiet

BEGIN
{
	a = strtok("key=value;rest", "=");
	b = strtok(NULL, ";");
	c = strtok(NULL, "");
	printf("%s|%s|%s\n", a, b, c);
	exit(0);
}
