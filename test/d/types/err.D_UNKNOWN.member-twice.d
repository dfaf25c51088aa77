/*
 * The members of a structure have different names.
 */
#pragma D option quiet

struct s {
	int s_a;
	char s_a;
};
BEGIN
{
	exit(0);
}
