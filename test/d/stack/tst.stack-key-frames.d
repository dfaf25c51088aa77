/*
 * Asserts that the frames of a stack key may be given.
 *
 * @@stdout: 1
 */
#pragma D option quiet

BEGIN
{
	@[stack(3)] = count();
	printa("%k%@d\n", @);
	exit(0);
}
