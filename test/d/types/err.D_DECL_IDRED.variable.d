/*
 * A variable has one declaration.
 */
#pragma D option quiet

int x;
string x;
BEGIN
{
	exit(0);
}
