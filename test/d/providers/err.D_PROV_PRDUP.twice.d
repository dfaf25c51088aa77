/*
 * A probe has one declaration.
 */
#pragma D option quiet

provider myserver {
	probe go(int);
	probe go(int);
};
BEGIN
{
	exit(0);
}
