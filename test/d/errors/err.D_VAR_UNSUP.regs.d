/*
 * regs[] are the kernel's registers, which no engine here has.
 */
#pragma D option quiet

BEGIN
{
	trace(regs[0]);
}
