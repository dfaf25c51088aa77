/*
 * A clause-local variable may be a structure.
 */
#pragma D option quiet

struct point {
	int p_x;
	int p_y;
};
this struct point pt;

BEGIN
{
	this->pt.p_x = 3;
	this->pt.p_y = this->pt.p_x + 1;
	printf("%d %d\n", this->pt.p_x, this->pt.p_y);
	exit(0);
}
