/*
 * An inline can't have the name of a built-in variable.
 */
#pragma D option quiet

inline int pid = 1;
BEGIN
{
	exit(0);
}
