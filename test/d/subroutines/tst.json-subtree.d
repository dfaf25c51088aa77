/*
 * json() gives an object or an array as its text.
 */
#pragma D option quiet

BEGIN
{
	s = "{\"a\": {\"b\": 1}, \"c\": [1, 2]}";
	printf("%s %s\n", json(s, "a"), json(s, "c"));
	exit(0);
}
