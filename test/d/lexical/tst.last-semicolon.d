/*
 * The semicolon after the last statement of a clause may be left out.
 */
#pragma D option quiet

BEGIN
{
	printf("a\n");
	exit(0)
}
