/*
 * Comment signs inside a string are characters of the string.
 */
#pragma D option quiet

BEGIN
{
	printf("%s\n", "/* not a comment */ // nor this");
	exit(0);
}
