/*
 * Functions on messages of another kernel are refused with the reason.
 */
/* @@stderr: msgsize( ) is not supported */
#pragma D option quiet

BEGIN
{
	trace(msgsize((void *)0));
}
