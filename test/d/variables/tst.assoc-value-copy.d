/*
 * Changing one element leaves what was read from it alone.
 */
#pragma D option quiet

BEGIN
{
	a[1] = "one";
	s = a[1];
	a[1] = "two";
	printf("%s %s\n", s, a[1]);
	exit(0);
}
