/*
 * Arguments that a probe does not have are 0.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4);
	printf("%d %d %d %d %d\n", arg5, arg6, arg7, arg8, arg9);
	exit(0);
}
