/*
 * A block comment inside a block comment is an error.
 */
#pragma D option quiet

/* outer /* inner */
BEGIN
{
	exit(0);
}
