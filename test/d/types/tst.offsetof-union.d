/*
 * The members of a union all stand at 0.
 */
#pragma D option quiet

union u {
	int u_i;
	long u_l;
};

BEGIN
{
	printf("%d %d\n", offsetof(union u, u_i), offsetof(union u, u_l));
	exit(0);
}
