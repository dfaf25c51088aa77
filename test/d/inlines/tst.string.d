/*
 * An inline may be a string.
 */
#pragma D option quiet

inline string greeting = "hello";

BEGIN
{
	printf("%s %d\n", greeting, strlen(greeting));
	exit(0);
}
