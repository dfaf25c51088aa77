/*
 * node and eproc are empty outside of an Erlang node.
 */
#pragma D option quiet

BEGIN
{
	printf("[%s] [%s]\n", node, eproc);
	exit(0);
}
