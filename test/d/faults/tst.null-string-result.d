/*
 * What a string function returned as NULL faults also when it went through a variable.
 */
#pragma D option quiet

BEGIN
{
	g = "before";
	g = strchr("abc", 'x');
	this->s = g;
	trace(this->s);
	printf("not reached\n");
	exit(1);
}

ERROR
{
	printf("fault %d at 0x%x\n", arg4, arg5);
	exit(0);
}
