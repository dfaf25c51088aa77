/*
 * A string of separators only has no word.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", strtok(",,,", ",") == NULL, strtok("", ",") == NULL);
	exit(0);
}
