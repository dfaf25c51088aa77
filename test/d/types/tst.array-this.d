/*
 * A clause-local array keeps its elements apart.
 */
#pragma D option quiet

this int t[3];

BEGIN
{
	this->t[0] = 1;
	this->t[1] = 2;
	this->t[2] = this->t[0] + this->t[1];
	printf("%d\n", this->t[2]);
	exit(0);
}
