/*
 * Functions on locks of another kernel are refused with the reason.
 */
/* @@stderr: mutex_owned( ) is not supported */
#pragma D option quiet

BEGIN
{
	trace(mutex_owned((void *)0));
}
