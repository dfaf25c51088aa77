/*
 * A description has at most four fields.
 */
#pragma D option quiet

a:b:c:d:e
{
	exit(0);
}
