/*
 * Names that came into the language after the version that a program is written for are free for its own variables.
 */
#pragma D option quiet
#pragma D option version=1.0

int strstr;
inline int htons = 3;

BEGIN
{
	freopen = 1;
	strstr = 2;
	self->index = 4;
	printf("%d %d %d %d\n", freopen, strstr, htons, self->index);
	exit(0);
}
