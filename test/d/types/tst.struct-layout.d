/*
 * Members are laid out as the C compiler of this machine does it.
 */
#pragma D option quiet

struct lay {
	char l_c;
	int l_i;
	char l_d;
	short l_s;
	long l_l;
	char l_e;
};

BEGIN
{
	printf("%d\n", sizeof (struct lay));
	printf("%d %d %d\n", offsetof(struct lay, l_c), offsetof(struct lay, l_i), offsetof(struct lay, l_d));
	printf("%d %d %d\n", offsetof(struct lay, l_s), offsetof(struct lay, l_l), offsetof(struct lay, l_e));
	exit(0);
}
