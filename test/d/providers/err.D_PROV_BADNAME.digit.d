/*
 * The name of a provider does not end in a digit.
 */
#pragma D option quiet

provider server1 {
	probe go();
};
BEGIN
{
	exit(0);
}
