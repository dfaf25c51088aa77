/*
 * A probe has a fixed number of arguments.
 */
#pragma D option quiet

provider myserver {
	probe go(int a, ...);
};
BEGIN
{
	exit(0);
}
