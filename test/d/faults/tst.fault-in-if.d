/*
 * An error in the condition of if runs neither arm.
 */
#pragma D option quiet

BEGIN
{
	if (*(int *)NULL) {
		printf("then\n");
	} else {
		printf("else\n");
	}
	printf("after\n");
}

BEGIN
{
	printf("next\n");
	exit(0);
}
