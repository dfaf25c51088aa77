/*
 * A structure may have a string.
 */
#pragma D option quiet

struct s {
	int s_n;
	string s_name;
};
struct s v;

BEGIN
{
	v.s_n = 1;
	v.s_name = "abc";
	printf("%d %s\n", v.s_n, v.s_name);
	exit(0);
}
