/*
 * Asserts that -U takes a definition back.
 *
 * @@opts: -C -DX -UX
 */
#pragma D option quiet

#ifdef X
#define V 1
#else
#define V 0
#endif

BEGIN
{
	printf("%d\n", V);
	exit(0);
}
