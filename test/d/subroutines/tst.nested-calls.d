/*
 * Functions may be arguments of functions.
 */
#pragma D option quiet

BEGIN
{
	printf("%s\n", strjoin(toupper(substr("abcdef", 0, 3)), lltostr(strlen(strjoin("ab", "cd")))));
	exit(0);
}
