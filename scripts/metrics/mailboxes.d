/*
 * Message queues: the longest, and how many messages wait in all, in the last twenty seconds.
 *
 * Cost: some 0.3 us for each process of the node and second, at most 1 % of a scheduler. With more than 30,000 processes a
 * round takes longer than its ten seconds, and with more than 60,000 the longest queue is that of a part of them.
 *
 * @metric @longest erlang_mailbox_longest_messages: The longest message queue in the last twenty seconds.
 * @metric @lengths erlang_mailbox_messages buckets 1..10000000: Lengths of message queues that are not empty, every ten seconds.
 */
erlang*:::mailbox-10s
/arg1 > 0/
{
	@longest = max(arg1);
	@lengths = quantize(arg1);
}

tick-20s
{
	clear(@longest);
}
