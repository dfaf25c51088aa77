/*
 * Schedulers: the longest run queue in the last ten seconds, and how long processes wait until they run.
 *
 * Cost: about 0.1 % of a scheduler on two schedulers, for samples; nothing for what the node does.
 *
 * @metric @queue erlang_run_queue_longest by kind: The longest run queue in the last ten seconds.
 * @metric @delay erlang_run_delay_seconds in ns sum @total buckets 250..10000000000: How long a process of normal priority waits until it runs, sampled.
 */
erlang*:::scheduler-1s
{
	@queue[copyinstr(arg1)] = max(args[2]);
}

erlang*:::run_delay-1s
{
	@delay = quantize(args[1]);
	@total = sum(args[1]);
}

tick-10s
{
	clear(@queue);
}
