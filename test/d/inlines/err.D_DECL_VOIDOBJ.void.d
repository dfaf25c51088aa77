/*
 * There is no void inline.
 */
#pragma D option quiet

inline void a = 1;
BEGIN
{
	exit(0);
}
