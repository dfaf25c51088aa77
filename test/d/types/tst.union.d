/*
 * The members of a union share their memory.
 */
#pragma D option quiet

union u {
	int u_i;
	char u_c[4];
} v;

BEGIN
{
	v.u_i = 0x44434241;
	printf("%d %c%c%c%c\n", sizeof (union u), v.u_c[0], v.u_c[1], v.u_c[2], v.u_c[3]);
	exit(0);
}
