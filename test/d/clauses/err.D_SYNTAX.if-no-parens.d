/*
 * The condition of if stands in parentheses.
 */
#pragma D option quiet

BEGIN
{
	if 1 {
		exit(0);
	}
}
