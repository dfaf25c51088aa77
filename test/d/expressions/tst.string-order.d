/*
 * < <= > >= of strings compare by bytes.
 */
#pragma D option quiet

BEGIN
{
	a = "abc";
	b = "abd";
	printf("%d%d%d%d\n", a < b, a <= b, a > b, a >= b);
	printf("%d%d%d\n", "" < "a", "a" < "ab", "Z" < "a");
	exit(0);
}
