/*
 * if runs its statements when the condition is not 0.
 */
#pragma D option quiet

BEGIN
{
	if (1) {
		printf("yes\n");
	}
	exit(0);
}
