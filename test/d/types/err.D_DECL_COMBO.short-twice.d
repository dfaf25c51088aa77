/*
 * A type cannot have the word short twice.
 */
BEGIN
{
	x = (short short)1;
	exit(0);
}
