/*
 * A leading zero makes an integer literal octal.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d\n", 00, 010, 017, 0777);
	exit(0);
}
