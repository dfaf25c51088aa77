/*
 * An element of an associative array of strings that is not there is NULL, and faults when it is shown.
 */
#pragma D option quiet

string s[int];

BEGIN
{
	trace(s[1]);
	printf("not reached\n");
	exit(1);
}

ERROR
{
	printf("fault %d at 0x%x\n", arg4, arg5);
	exit(0);
}
