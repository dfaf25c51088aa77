/*
 * An argument of another type needs a translator.
 */
#pragma D option quiet

struct info {
	int i_a;
};
provider myserver {
	probe go(int n) : (struct info *n);
};
BEGIN
{
	exit(0);
}
