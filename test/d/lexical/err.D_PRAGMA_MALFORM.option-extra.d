/*
 * #pragma D option takes one option.
 */
#pragma D option quiet

#pragma D option quiet strsize=100
BEGIN
{
	exit(0);
}
