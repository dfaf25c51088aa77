/*
 * The expression of an inline fits its type.
 */
#pragma D option quiet

inline int a = "string";
BEGIN
{
	exit(0);
}
