/*
 * A provider definition is accepted beside a program.
 */
#pragma D option quiet

provider myserver {
	probe request__start(int id, string name);
	probe request__done(int id);
	probe nothing();
};
#pragma D attributes Evolving/Evolving/Common provider myserver provider
BEGIN
{
	printf("ok\n");
	exit(0);
}
