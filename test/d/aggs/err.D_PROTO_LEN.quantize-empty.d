/*
 * quantize() needs an argument.
 */
BEGIN
{
	@ = quantize();
}
