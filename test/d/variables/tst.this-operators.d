/*
 * All assignments and ++ work on a clause-local variable.
 */
#pragma D option quiet

BEGIN
{
	this->x = 10;
	this->x -= 3;
	this->x *= 6;
	this->x |= 1;
	printf("%d ", this->x++);
	printf("%d ", --this->x);
	printf("%d\n", this->x);
	exit(0);
}
