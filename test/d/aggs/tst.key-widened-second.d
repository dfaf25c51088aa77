/*
 * A key that was widened keeps the other parts of its tuple in their places.
 */
#pragma D option quiet

BEGIN
{
	@[1, "x", (char)2] = count();
	@[123456789012, "y", 300] = count();
	printa("%d %s %d %@d\n", @);
	exit(0);
}
