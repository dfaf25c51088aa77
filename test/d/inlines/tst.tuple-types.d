/*
 * The parameters of an inline have their own types.
 */
#pragma D option quiet

inline string pick[int which, string a, string b] = which ? a : b;

BEGIN
{
	printf("%s %s\n", pick[1, "a", "b"], pick[0, "a", "b"]);
	exit(0);
}
