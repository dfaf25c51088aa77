/*
 * rand() takes no argument.
 */
#pragma D option quiet

BEGIN
{
	trace(rand(1));
}
