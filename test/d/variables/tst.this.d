/*
 * A clause-local variable is shared by the clauses of one firing.
 */
#pragma D option quiet

BEGIN
{
	this->x = 5;
	this->s = "abc";
}

BEGIN
{
	this->x++;
}

BEGIN
{
	printf("%d %s\n", this->x, this->s);
	exit(0);
}
