/*
 * An array as a member takes the room of its elements.
 */
#pragma D option quiet

struct s {
	char s_name[5];
	int s_n[3];
};

BEGIN
{
	printf("%d %d %d\n", sizeof (struct s), offsetof(struct s, s_n), sizeof (((struct s *)NULL)->s_n));
	exit(0);
}
