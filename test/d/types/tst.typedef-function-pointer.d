/*
 * A typedef may name a pointer to a function.
 */
#pragma D option quiet

typedef int (*handler_t)(int, char *);
typedef void (*table_t[4])(void);

BEGIN
{
	printf("%d %d\n", sizeof (handler_t), sizeof (table_t));
	exit(0);
}
