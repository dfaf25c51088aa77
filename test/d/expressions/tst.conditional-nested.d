/*
 * ?: groups from the right.
 */
#pragma D option quiet

BEGIN
{
	a = 2;
	printf("%s\n", a == 1 ? "one" : a == 2 ? "two" : "many");
	exit(0);
}
