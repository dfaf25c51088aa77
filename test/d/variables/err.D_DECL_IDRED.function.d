/*
 * A variable cannot be declared with the name of a function of D.
 */
int strlen;

BEGIN
{
	exit(0);
}
