/*
 * A string that was given NULL takes text again.
 */
#pragma D option quiet

BEGIN
{
	g = "x";
	g = NULL;
	g = "text";
	printf("[%s]\n", g);
	exit(0);
}
