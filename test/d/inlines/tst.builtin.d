/*
 * An inline may stand for a built-in variable.
 */
#pragma D option quiet

inline string who = probename;
inline int me = pid;

BEGIN
{
	printf("%s %d\n", who, me == pid);
	exit(0);
}
