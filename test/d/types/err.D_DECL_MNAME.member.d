/*
 * A member needs a name.
 */
#pragma D option quiet

struct s {
	int;
};
BEGIN
{
	exit(0);
}
