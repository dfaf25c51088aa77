/*
 * A macro argument may stand in a probe description.
 */
/* @@args: dtrace BEGIN */
#pragma D option quiet

$1:::$2
{
	printf("%s:%s\n", probeprov, probename);
	exit(0);
}
