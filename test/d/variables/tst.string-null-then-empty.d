/*
 * "" given to a string after NULL is "" and can be shown.
 */
#pragma D option quiet

BEGIN
{
	g = "x"; g = NULL;
	g = "";
	printf("[%s] %d\n", g, strlen(g));
	exit(0);
}
