/*
 * A type cannot have the word signed twice.
 */
BEGIN
{
	x = (signed signed)1;
	exit(0);
}
