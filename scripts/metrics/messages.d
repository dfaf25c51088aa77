/*
 * Scheduling latency: how long it takes from sending a message until the receiver runs. The first message that a
 * process gets while it waits counts, if it was sent to the process itself: the VM does not tell who is behind a name,
 * or behind the alias to which servers answer.
 *
 * Cost: some 0.1 us for each message and 0.2 us each time that a process runs, on top of what the VM needs to report
 * these events: on a node that sends 100,000 messages a second, several percent of a scheduler.
 *
 * @metric @latency erlang_message_latency_seconds in ns sum @total buckets 1000..60000000000: From sending a message until the receiver runs.
 */
erlang*:::message-send
/index(copyinstr(arg1), "<") == 0 && !sent[copyinstr(arg1)]/
{
	sent[copyinstr(arg1)] = timestamp;
}

erlang*:::process-scheduled
{
	this->sent = sent[copyinstr(arg0)];
}

erlang*:::process-scheduled
/this->sent/
{
	this->waited = timestamp - this->sent;
	@latency = quantize(this->waited);
	@total = sum(this->waited);
	sent[copyinstr(arg0)] = 0;
}

erlang*:::process-exit
{
	sent[copyinstr(arg0)] = 0;
}
