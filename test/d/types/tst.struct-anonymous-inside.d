/*
 * Members of an unnamed structure or union belong to the one around it.
 */
#pragma D option quiet

struct s {
	int s_kind;
	union {
		int s_i;
		char s_c;
	};
} v;

BEGIN
{
	v.s_kind = 1;
	v.s_i = 0x4142;
	printf("%d %x %c\n", v.s_kind, v.s_i, v.s_c);
	exit(0);
}
