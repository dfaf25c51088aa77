/*
 * Scheduling latency: how long it takes from sending a message until the receiver runs. The first message that a
 * process gets while it waits counts.
 *
 * Cost: some 0.1 us for each message and 0.2 us each time that a process runs, on top of what the VM needs to report
 * these events: on a node that sends 100,000 messages a second, several percent of a scheduler.
 *
 * @metric @latency erlang_message_latency_seconds in ns sum @total buckets 1000..60000000000: From sending a message until the receiver runs.
 */
erlang*:::message-send
/!sent[copyinstr(arg1)]/
{
	sent[copyinstr(arg1)] = timestamp;
}

erlang*:::process-scheduled
/sent[copyinstr(arg0)]/
{
	@latency = quantize(timestamp - sent[copyinstr(arg0)]);
	@total = sum(timestamp - sent[copyinstr(arg0)]);
	sent[copyinstr(arg0)] = 0;
}

erlang*:::process-exit
{
	sent[copyinstr(arg0)] = 0;
}
