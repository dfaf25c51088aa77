/*
 * An inline has one definition.
 */
#pragma D option quiet

inline int a = 1;
inline int a = 2;
BEGIN
{
	exit(0);
}
