/*
 * Built-in strings may be given to functions.
 */
#pragma D option quiet

BEGIN
{
	printf("%s %d\n", strjoin(probename, "!"), strlen(probeprov));
	exit(0);
}
