/*
 * sum() needs an argument.
 */
BEGIN
{
	@ = sum();
}
