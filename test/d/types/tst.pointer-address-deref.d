/*
 * & and * take each other back.
 */
#pragma D option quiet

BEGIN
{
	p = (int *)alloca(sizeof (int));
	*p = 3;
	printf("%d %d\n", *&*p, &*p == p);
	exit(0);
}
