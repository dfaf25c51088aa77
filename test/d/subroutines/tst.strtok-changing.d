/*
 * The separators may change from call to call.
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
