/*
 * strtok(NULL, ...) goes on at the delimiter that ended the last token: with other delimiters it is part of the next.
 */
#pragma D option quiet

BEGIN
{
	x = "a,b;c";
	strtok(x, ",");
	printf("%s\n", strtok(NULL, ";"));
	exit(0);
}
