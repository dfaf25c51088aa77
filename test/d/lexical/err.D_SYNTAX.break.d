/*
 * D has no break.
 */
#pragma D option quiet

BEGIN
{
	break;
}
