/*
 * Identifiers are letters, digits and underscores, case counts, and they may be long.
 */
#pragma D option quiet

BEGIN
{
	_a1 = 1;
	_A1 = 2;
	a_very_long_identifier_that_goes_on_and_on_and_is_still_only_one_identifier_0123456789 = 3;
	printf("%d %d %d\n", _a1, _A1, a_very_long_identifier_that_goes_on_and_on_and_is_still_only_one_identifier_0123456789);
	exit(0);
}
