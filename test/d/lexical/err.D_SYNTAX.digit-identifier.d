/*
 * An identifier does not begin with a digit.
 */
#pragma D option quiet

BEGIN
{
	1abc = 2;
}
