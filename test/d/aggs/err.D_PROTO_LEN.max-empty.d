/*
 * max() needs an argument.
 */
BEGIN
{
	@ = max();
}
