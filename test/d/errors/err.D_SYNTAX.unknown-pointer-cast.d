/*
 * A cast to a pointer to a type that is not known is an error that says so.
 */
/* @@stderr: unknown type 'nosuch_t' */
#pragma D option quiet

BEGIN
{
	trace((nosuch_t *)arg0);
}
