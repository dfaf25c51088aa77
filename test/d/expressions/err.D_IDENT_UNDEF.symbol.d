/*
 * A symbol that does not exist can't be read.
 */
#pragma D option quiet

BEGIN
{
	trace(nosuchmodule`nosuchsymbol);
}
