/*
 * An expression alone is a statement.
 */
#pragma D option quiet

BEGIN
{
	x = 5;
	x;
	x + 1;
	"text";
	printf("%d\n", x);
	exit(0);
}
