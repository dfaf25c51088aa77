/*
 * "" over text whose second byte has all bits set is "", not NULL.
 */
#pragma D option quiet

BEGIN
{
	g = "a\377b";
	g = "";
	printf("[%s] %d\n", g, strlen(g));
	exit(0);
}
