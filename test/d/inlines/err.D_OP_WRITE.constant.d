/*
 * A constant inline can't be assigned to.
 */
#pragma D option quiet

inline string name = probename;
BEGIN
{
	name = "x";
}
