/*
 * A structure inside a structure keeps its own alignment.
 */
#pragma D option quiet

struct in {
	char i_c;
	long i_l;
};
struct out {
	char o_c;
	struct in o_in;
	char o_d;
};

BEGIN
{
	printf("%d %d\n", sizeof (struct out), offsetof(struct out, o_d));
	exit(0);
}
