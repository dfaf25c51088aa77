/*
 * A cast to a type that is not known is an error that says so.
 */
/* @@stderr: unknown type 'uint23_t' */
/* @@stderr: did you mean 'uint32_t'? */
#pragma D option quiet

BEGIN
{
	trace((uint23_t)arg0);
}
