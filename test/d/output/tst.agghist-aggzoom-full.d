/*
 * With agghist and aggzoom the largest bar takes all the room that there is.
 *
 * @@opts: -xagghist -xaggzoom
 */
#pragma D option quiet

BEGIN
{
	@["a"] = sum(10);
	@["b"] = sum(5);
	exit(0);
}
