/*
 * A declared clause-local variable has its declared type.
 */
#pragma D option quiet

this char c;
this unsigned char u;

BEGIN
{
	this->c = 200;
	this->u = 200;
	printf("%d %d\n", this->c, this->u);
	exit(0);
}
