/*
 * Without a node there are no erlang probes; the error says how to name one. (A node that another command traces just now
 * has some for the kernel engine, so this one names a process that is no node.)
 */
/* @@stderr: those of an Erlang node are there with -N */
#pragma D option quiet

erlang1:::process-spawn
{
	exit(0);
}
