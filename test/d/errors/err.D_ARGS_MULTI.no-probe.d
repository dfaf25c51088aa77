/*
 * args[] of a description that matches nothing yet are not known.
 */
/* @@opts: -Z */
#pragma D option quiet

nosuch:::probe
{
	trace(args[0]);
}
