/*
 * A function that came after the version that a program is written for is unknown to it.
 */
#pragma D option version=1.0

BEGIN
{
	trace(strstr("abc", "b"));
	exit(0);
}
