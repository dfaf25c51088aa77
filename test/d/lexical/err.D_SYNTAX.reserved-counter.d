/*
 * Reserved words are no identifiers: case.
 */
#pragma D option quiet

BEGIN
{
	case = 1;
}
