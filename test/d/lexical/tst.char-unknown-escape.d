/*
 * An escape that D does not know keeps its backslash; \' and \? are such.
 */
#pragma D option quiet

BEGIN
{
	printf("%x %x %x\n", '\'', '\?', '\c');
	printf("%s\n", "\'\?\q");
	exit(0);
}
