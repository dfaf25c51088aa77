/*
 * Bytes above 127 come after all others.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", "\xe9" > "z", "\xff" > "\x7f");
	exit(0);
}
