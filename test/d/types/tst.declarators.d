/*
 * Declarators nest as in C.
 */
#pragma D option quiet

typedef int *ap_t[3];
typedef int (*pa_t)[3];
typedef char a2_t[2][5];

BEGIN
{
	printf("%d %d %d\n", sizeof (ap_t), sizeof (pa_t), sizeof (a2_t));
	exit(0);
}
