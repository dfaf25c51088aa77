/*
 * strjoin() puts two strings together.
 */
#pragma D option quiet

BEGIN
{
	s = "ab";
	printf("[%s] [%s] [%s] [%s]\n", strjoin(s, "cd"), strjoin("", s), strjoin(s, ""), strjoin("", ""));
	exit(0);
}
