/*
 * A string that was given NULL is no key.
 */
#pragma D option quiet

BEGIN
{
	g = "before";
	g = NULL;
	@[g] = count();
	printf("not reached\n");
	exit(1);
}

ERROR
{
	printf("fault %d at 0x%x\n", arg4, arg5);
	exit(0);
}
