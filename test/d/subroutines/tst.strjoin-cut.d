/*
 * strjoin() cuts its result at strsize.
 */
#pragma D option quiet

#pragma D option strsize=6

BEGIN
{
	printf("%s %s\n", strjoin("abc", "defg"), strjoin("abcde", "f"));
	exit(0);
}
