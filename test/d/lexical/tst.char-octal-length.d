/*
 * An octal escape has at most three digits.
 */
#pragma D option quiet

BEGIN
{
	printf("%x %x %x\n", '\0103', '\1013', '\18');
	exit(0);
}
