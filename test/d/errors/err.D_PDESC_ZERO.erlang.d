/*
 * Without a node there are no erlang probes; the error says how to name one.
 */
/* @@stderr: those of an Erlang node are there with -N */
#pragma D option quiet

erlang*:::process-spawn
{
	exit(0);
}
