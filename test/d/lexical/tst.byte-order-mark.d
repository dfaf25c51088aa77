/*
 * Asserts that the mark of UTF-8 text at the beginning of a program is passed over.
 */

#pragma D option quiet

BEGIN
{
	printf("ok");
	exit(0);
}
