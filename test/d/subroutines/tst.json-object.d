/*
 * json() gives a member of an object.
 */
#pragma D option quiet

BEGIN
{
	s = "{\"a\": 1, \"b\": \"two\", \"c\": true, \"d\": null, \"e\": -1.5e3}";
	printf("%s|%s|%s|%s|%s\n", json(s, "a"), json(s, "b"), json(s, "c"), json(s, "d"), json(s, "e"));
	exit(0);
}
