/*
 * ?: keeps a bad pointer from being followed.
 */
#pragma D option quiet

BEGIN
{
	p = (char *)NULL;
	printf("%s\n", p == NULL ? "<none>" : stringof(p));
	exit(0);
}
