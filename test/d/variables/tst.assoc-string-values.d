/*
 * The values of an associative array may be strings.
 */
#pragma D option quiet

BEGIN
{
	a[1] = "one";
	a[2] = "two";
	printf("%s %s %d\n", a[1], a[2], a[3] == NULL);
	exit(0);
}
