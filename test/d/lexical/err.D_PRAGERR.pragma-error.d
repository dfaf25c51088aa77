/*
 * #pragma D error ends the compilation.
 */
#pragma D option quiet

#pragma D error stop here
BEGIN
{
	exit(0);
}
