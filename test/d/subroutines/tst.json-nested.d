/*
 * json() follows a path of members and elements.
 */
#pragma D option quiet

BEGIN
{
	s = "{\"a\": {\"b\": [1, {\"c\": \"deep\"}]}}";
	printf("%s\n", json(s, "a.b[1].c"));
	exit(0);
}
