/*
 * D has no floating-point constants with an exponent either.
 */
#pragma D option quiet

BEGIN
{
	trace(1.0e10);
	exit(0);
}
