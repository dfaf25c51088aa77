/*
 * Asserts that a bit-field prints as its value.
 */
#pragma D option quiet

struct bits { unsigned int a : 3; int b : 5; };
this struct bits s;

BEGIN
{
	this->s.a = 5;
	this->s.b = -1;
	printf("%d %d\n", this->s.a, this->s.b);
	exit(0);
}
