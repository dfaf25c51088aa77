/*
 * A member of Solaris's lwpsinfo_t that no DTrace converts.
 */
#pragma D option quiet

BEGIN
{
	trace(curlwpsinfo->pr_cpu);
}
