/*
 * Two slashes begin a comment that ends with the line.
 */
#pragma D option quiet

BEGIN
{
	printf("a\n"); // printf("b\n");
	// all of this line
	printf("c\n"); //
	exit(0);
}
