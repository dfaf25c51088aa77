/*
 * A * for the width needs an argument.
 */
#pragma D option quiet

BEGIN
{
	printf("%*d");
}
