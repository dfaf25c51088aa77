/*
 * Asserts that %x prints lower-case digits and takes the size of the argument.
 */
#pragma D option quiet

BEGIN
{
	printf("%x %x %x\n", 255, (char)-1, -1);
	exit(0);
}
