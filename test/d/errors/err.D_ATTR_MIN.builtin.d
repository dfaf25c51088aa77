/*
 * With amin nothing less stable may be used.
 */
/* @@opts: -xamin=Stable/Stable/Common */
#pragma D option quiet

BEGIN
{
	trace((uintptr_t)curthread);
}
