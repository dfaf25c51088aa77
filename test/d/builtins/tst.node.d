/*
 * node, eproc and emfa are empty outside of an Erlang node.
 */
#pragma D option quiet

BEGIN
{
	printf("[%s] [%s] [%s]\n", node, eproc, emfa);
	exit(0);
}
