/*
 * Single bytes of a string variable can be changed: of the clause, the thread, and the program.
 */
#pragma D option quiet

BEGIN
{
	this->s = "hello";
	this->s[0] = 'H';
	self->s = "hello";
	self->s[1] = 'E';
	s = "hello";
	s[4] = 'O';
	printf("%s %s %s\n", this->s, self->s, s);
	exit(0);
}
