/*
 * A provider that exists can't be given other probes.
 */
#pragma D option quiet

provider dtrace {
	probe nosuch(int);
};
BEGIN
{
	exit(0);
}
