/*
 * A hexadecimal escape takes all digits that follow it.
 */
#pragma D option quiet

BEGIN
{
	printf("%s|%s\n", "\x41", "\x0041z");
	exit(0);
}
