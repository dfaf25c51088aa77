/*
 * min() needs an argument.
 */
BEGIN
{
	@ = min();
}
