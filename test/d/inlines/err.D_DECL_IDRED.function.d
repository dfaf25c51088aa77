/*
 * An inline cannot have the name of a function of D.
 */
inline int rand = 7;

BEGIN
{
	exit(0);
}
