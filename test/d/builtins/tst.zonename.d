/*
 * zonename is global.
 */
#pragma D option quiet

BEGIN
{
	printf("%s\n", zonename);
	exit(0);
}
