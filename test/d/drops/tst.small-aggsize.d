/*
 * An aggsize that is too small for anything holds some keys all the same.
 *
 * @@nostderr
 */
#pragma D option quiet
#pragma D option aggsize=1

BEGIN
{
	@a = count();
	@b["key"] = sum(2);
	@c["key", 1] = lquantize(5, 0, 1000);
	printa("%@d ", @a);
	printa("%s %@d", @b);
	exit(0);
}
