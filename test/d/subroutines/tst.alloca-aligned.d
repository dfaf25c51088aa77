/*
 * alloca() gives memory aligned to 8 bytes, apart from what it gave before.
 */
#pragma D option quiet

BEGIN
{
	a = (uintptr_t)alloca(1);
	b = (uintptr_t)alloca(1);
	printf("%d %d %d\n", a % 8, b % 8, a != b);
	exit(0);
}
