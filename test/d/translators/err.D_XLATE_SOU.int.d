/*
 * A translator makes a structure or a union.
 */
#pragma D option quiet

translator int < long n > {
	x = n;
};
BEGIN
{
	exit(0);
}
