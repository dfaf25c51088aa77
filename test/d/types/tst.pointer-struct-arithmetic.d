/*
 * The step of a pointer to a structure is the size of the structure.
 */
#pragma D option quiet

struct s {
	long s_a;
	char s_b;
};

BEGIN
{
	p = (struct s *)0x1000;
	printf("%x\n", (uintptr_t)(p + 3));
	exit(0);
}
