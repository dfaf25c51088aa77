/*
 * avg() needs an argument.
 */
BEGIN
{
	@ = avg();
}
