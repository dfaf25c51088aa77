/*
 * No data is recorded after commit().
 */
#pragma D option quiet

BEGIN
{
	commit(1);
	printf("x\n");
}
