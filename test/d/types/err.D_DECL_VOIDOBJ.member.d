/*
 * There are no void members.
 */
#pragma D option quiet

struct s {
	void s_v;
};
BEGIN
{
	exit(0);
}
