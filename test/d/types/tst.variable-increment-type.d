/*
 * A variable that begins with ++ is an int64_t.
 */
#pragma D option quiet

BEGIN
{
	x++;
	printf("%d %d\n", x, sizeof (x));
	exit(0);
}
