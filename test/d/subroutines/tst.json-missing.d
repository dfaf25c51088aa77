/*
 * json() of what is not there is NULL.
 */
#pragma D option quiet

BEGIN
{
	s = "{\"a\": [1]}";
	printf("%d %d %d\n", json(s, "b") == NULL, json(s, "a[1]") == NULL, json("not json", "a") == NULL);
	exit(0);
}
