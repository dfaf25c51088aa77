/*
 * A block comment counts as white space, between any two tokens and over several lines.
 */
#pragma D option quiet

BEGIN
{
	printf/* a */(/* b
	      c */"%d\n"/**/,/***/1/* ** */+/* / */1);
	exit(0);
}
