/*
 * Asserts that speculating on 0 records nothing.
 */
#pragma D option quiet

BEGIN
{
	speculate(0);
	printf("nothing\n");
}

BEGIN
{
	commit(0);
}

BEGIN
{
	printf("end\n");
	exit(0);
}
