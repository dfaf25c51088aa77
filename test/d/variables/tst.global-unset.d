/*
 * A declared global is 0 or the empty string before it is assigned.
 */
#pragma D option quiet

int i;
string s;
uint64_t u;
int *p;

BEGIN
{
	printf("%d [%s] %d %d\n", i, s, u, p == NULL);
	exit(0);
}
