/*
 * The scoping operator is not for names of declarations.
 */
#pragma D option quiet

int mod`x;
BEGIN
{
	exit(0);
}
