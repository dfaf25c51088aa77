/*
 * D has no goto.
 */
#pragma D option quiet

BEGIN
{
	goto out;
}
