/*
 * Built-in variables may be keys.
 */
#pragma D option quiet

BEGIN
{
	a[execname, probename] = 5;
	printf("%d\n", a["erltrace", "BEGIN"]);
	exit(0);
}
