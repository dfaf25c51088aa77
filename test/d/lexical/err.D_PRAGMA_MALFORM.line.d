/*
 * #line needs a number.
 */
#pragma D option quiet

#line forty
BEGIN
{
	exit(0);
}
