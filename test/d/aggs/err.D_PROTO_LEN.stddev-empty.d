/*
 * stddev() needs an argument.
 */
BEGIN
{
	@ = stddev();
}
