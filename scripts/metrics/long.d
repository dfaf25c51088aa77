/*
 * What holds schedulers up: processes and ports that ran for 10 ms and longer without a break, collections that took 10 ms and longer, and
 * heaps of a million words and more.
 *
 * Cost: next to nothing: the VM itself watches for these events, and they are rare.
 *
 * @metric @schedule erlang_long_schedule_seconds in ms sum @scheduled buckets 10..60000: Processes and ports that ran for 10 ms and longer.
 * @metric @gc erlang_long_gc_seconds in ms sum @collected buckets 10..60000: Collections that took 10 ms and longer.
 * @metric @heap erlang_large_heaps_total: Collections that ended with a heap of 1,048,576 words and more.
 */
erlang*:::system-long_schedule
{
	@schedule = quantize(arg1);
	@scheduled = sum(arg1);
}

erlang*:::system-long_gc
{
	@gc = quantize(arg1);
	@collected = sum(arg1);
}

erlang*:::system-large_heap
{
	@heap = count();
}
