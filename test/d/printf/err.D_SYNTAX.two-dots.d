/*
 * Asserts that printf() is refused when a conversion has two precisions.
 */

BEGIN
{
	printf("%1.2.3d", 1);
	exit(0);
}
