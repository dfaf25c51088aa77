/*
 * A type cannot have the word unsigned twice.
 */
BEGIN
{
	x = (unsigned unsigned)1;
	exit(0);
}
