/*
 * A * for the width takes a number.
 */
#pragma D option quiet

BEGIN
{
	printf("%*d", "5", 1);
}
