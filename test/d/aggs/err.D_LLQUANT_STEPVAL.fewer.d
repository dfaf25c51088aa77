/*
 * llquantize() needs at least as many steps as its factor.
 */
BEGIN
{
	@ = llquantize(1, 10, 0, 3, 5);
}
