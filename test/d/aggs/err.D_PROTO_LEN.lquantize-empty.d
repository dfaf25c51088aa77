/*
 * lquantize() needs an argument.
 */
BEGIN
{
	@ = lquantize();
}
