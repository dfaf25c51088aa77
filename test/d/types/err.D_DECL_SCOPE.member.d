/*
 * The scoping operator is not for the names of members.
 */
#pragma D option quiet

struct s {
	int mod`s_a;
};
BEGIN
{
	exit(0);
}
