/*
 * Message queues: the longest, and how many messages wait in all, in the last ten seconds.
 *
 * Cost: some 3 us for each process of the node and second, at most a twentieth of a scheduler.
 *
 * @metric @longest erlang_mailbox_longest_messages: The longest message queue in the last ten seconds.
 * @metric @lengths erlang_mailbox_messages buckets 1..10000000: Lengths of message queues that are not empty, once a second.
 */
erlang*:::mailbox-1s
/arg1 > 0/
{
	@longest = max(arg1);
	@lengths = quantize(arg1);
}

tick-10s
{
	clear(@longest);
}
