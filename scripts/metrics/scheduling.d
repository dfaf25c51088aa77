/*
 * Time slices: how often processes run, and for how long.
 *
 * Cost: some 0.2 us each time that a process runs, on top of what the VM needs to report it.
 *
 * @metric @slice erlang_process_run_seconds in ns sum @total buckets 250..10000000000: How long a process runs when it runs.
 */
erlang*:::process-scheduled
{
	self->in = timestamp;
}

erlang*:::process-unscheduled
/self->in/
{
	this->ran = timestamp - self->in;
	@slice = quantize(this->ran);
	@total = sum(this->ran);
	self->in = 0;
}
