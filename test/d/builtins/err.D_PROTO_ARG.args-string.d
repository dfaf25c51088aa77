/*
 * The index of args[] is a number.
 */
#pragma D option quiet

BEGIN
{
	trace(args["x"]);
}
