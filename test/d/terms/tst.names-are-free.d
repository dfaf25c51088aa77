/* Functions of terms do not take their names away from variables, and term is a name as any other. */
#pragma D option quiet
BEGIN
{
	length = 5;
	text = "abc";
	self->hd = 1;
	term = 7;
	@tl["x"] = count();
	printf("%d %s %d %d\n", length, text, self->hd, term);
	exit(0);
}
