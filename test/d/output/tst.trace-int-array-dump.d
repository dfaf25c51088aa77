/*
 * trace() of an array of numbers is a dump, also when its bytes could be text.
 */
#pragma D option quiet

int v[3];

BEGIN
{
	v[0] = 0x64636261;
	trace(v);
	exit(0);
}
