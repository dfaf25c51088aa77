/*
 * A clause-local variable has one declaration.
 */
#pragma D option quiet

this int x;
this string x;
BEGIN
{
	exit(0);
}
