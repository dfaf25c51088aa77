/*
 * A chain of casts is applied from the inside out.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", (int)(char)255, (int)(unsigned char)-1, (long)(unsigned)-1);
	exit(0);
}
