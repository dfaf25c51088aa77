/*
 * #error ends the compilation with its text.
 */
/* @@stderr: this can not be */
#pragma D option quiet

#error this can not be
BEGIN
{
	exit(0);
}
