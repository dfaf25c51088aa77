/*
 * ?: may give strings, also those of variables.
 */
#pragma D option quiet

BEGIN
{
	s = "abc";
	a = 0;
	printf("%s %s\n", a ? s : "other", !a ? s : "other");
	exit(0);
}
