/*
 * A function may be declared as in C; that is all.
 */
#pragma D option quiet

int somefunction(int a, char *b, ...);
extern void *another(void);
BEGIN
{
	printf("ok\n");
	exit(0);
}
