/*
 * alloca() takes a number.
 */
#pragma D option quiet

BEGIN
{
	alloca("8");
}
