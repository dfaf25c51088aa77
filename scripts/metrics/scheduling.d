/*
 * Time slices: how often processes run, and for how long.
 *
 * Cost: 0.45 us each time that a process runs, up to three times that on schedulers that mostly sleep. At most 1 % of a
 * scheduler: where it would be more, `erltrace export` runs it for a part of the time and estimates the rest.
 *
 * @share 1
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
