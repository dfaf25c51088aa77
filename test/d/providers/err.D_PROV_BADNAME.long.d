/*
 * The name of a provider has fewer than 64 characters.
 */
#pragma D option quiet

provider aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa {
	probe go();
};
BEGIN
{
	exit(0);
}
