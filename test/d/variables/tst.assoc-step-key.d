/*
 * A variable may be made by ++ inside a key.
 */
#pragma D option quiet

BEGIN
{
	word[n++] = "zero";
	word[n++] = "one";
	printf("%d %s %s\n", n, word[0], word[1]);
	exit(0);
}
