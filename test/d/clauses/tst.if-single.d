/*
 * if takes a single statement without braces.
 */
#pragma D option quiet

BEGIN
{
	x = 1;
	if (x)
		printf("yes\n");
	else
		printf("no\n");
	exit(0);
}
