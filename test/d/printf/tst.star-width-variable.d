/*
 * Asserts that the width may be a variable.
 */
#pragma D option quiet

BEGIN
{
	w = 4;
	printf("[%*s]\n", w, "ab");
	exit(0);
}
