/*
 * Scheduling latency: how long it takes from sending a message until the receiver runs. The first message that a
 * process gets while it waits counts, if it was sent to the process itself: the VM does not tell who is behind a name,
 * or behind the alias to which servers answer.
 *
 * Cost: 0.75 us for each message and the process that it wakes, twice that on schedulers that mostly sleep. At most 1 %
 * of a scheduler: where it would be more, `erltrace export` runs it for a part of the time and estimates the rest.
 *
 * @share 1
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
