/*
 * The faults have names.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d\n", DTRACEFLT_UNKNOWN, DTRACEFLT_BADADDR, DTRACEFLT_BADALIGN, DTRACEFLT_ILLOP);
	printf("%d %d %d\n", DTRACEFLT_DIVZERO, DTRACEFLT_NOSCRATCH, DTRACEFLT_KPRIV);
	printf("%d %d\n", DTRACEFLT_UPRIV, DTRACEFLT_TUPOFLOW);
	exit(0);
}
