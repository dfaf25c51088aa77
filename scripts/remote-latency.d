#!/usr/bin/env -S erltrace -qs
/*
 * How long do messages take from node to node? Costs more than 5 %. Calls of gen_server, gen_statem, GenServer … to
 * another node, and their answers: from the moment of sending until the receiver has the message in its queue, by pair
 * of nodes, with the clocks of the nodes compared.
 *
 * Cost: an event for each message that is sent or queued on the nodes, 0.3 us each; 3 us more for those that are
 * measured. EVERY makes these fewer. On RabbitMQ it was 27 % of what a message needs.
 *
 * Each call has a reference that no other has, and its answer has the same. So both ends of a message are known by it,
 * and EVERY chooses the same ones on all nodes.
 *
 *     erltrace -N NODE -N NODE remote-latency [SECONDS [EVERY]]
 *
 * @needs node
 * @pairs
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 * @arg EVERY number optional: measure only one of so many messages, for clusters that send very many
 */
#pragma D option defaultargs
#pragma D option switchrate=100ms

/* {'$gen_call', {Pid, Tag}, Request}; the tag is a reference, [alias | Reference] or {Reference, Node} */
erlang*:::message-send-remote
/is_tuple(args[7]) && tuple_size(args[7]) == 3 && element(1, args[7]) == "'$gen_call'" &&
    is_tuple(element(2, args[7])) && tuple_size(element(2, args[7])) == 2/
{
	this->tag = text(element(2, element(2, args[7])));
}

erlang*:::message-send-remote
/this->tag != "" && (!$2 || strtoll(substr(this->tag, rindex(this->tag, ".") + 1)) % ($2 ? $2 : 1) == 0)/
{
	self->asked[this->tag] = 1;
	printf("%s %s to %s: %s\n", "sent", "request", copyinstr(arg1), this->tag);
}

/* one from another node: a local pid is <0.…> */
erlang*:::message-queued
/is_tuple(args[6]) && tuple_size(args[6]) == 3 && element(1, args[6]) == "'$gen_call'" &&
    is_tuple(element(2, args[6])) && tuple_size(element(2, args[6])) == 2 && is_pid(element(1, element(2, args[6]))) &&
    substr(text(element(1, element(2, args[6]))), 0, 3) != "<0."/
{
	this->tag = text(element(2, element(2, args[6])));
}

erlang*:::message-queued
/this->tag != "" && (!$2 || strtoll(substr(this->tag, rindex(this->tag, ".") + 1)) % ($2 ? $2 : 1) == 0)/
{
	printf("%s %s to %s: %s\n", "queued", "request", node, this->tag);
}

/* {Tag, Answer} */
erlang*:::message-send-remote
/is_tuple(args[7]) && tuple_size(args[7]) == 2 && (is_reference(element(1, args[7])) ||
    is_list(element(1, args[7])) || is_tuple(element(1, args[7])))/
{
	this->answer = text(element(1, args[7]));
}

erlang*:::message-send-remote
/this->answer != "" && (!$2 || strtoll(substr(this->answer, rindex(this->answer, ".") + 1)) % ($2 ? $2 : 1) == 0)/
{
	printf("%s %s to %s: %s\n", "sent", "answer", copyinstr(arg1), this->answer);
}

/* the answer to a call that went to another node */
erlang*:::message-queued
/is_tuple(args[6]) && tuple_size(args[6]) == 2 && (is_reference(element(1, args[6])) ||
    is_list(element(1, args[6])) || is_tuple(element(1, args[6]))) && self->asked[text(element(1, args[6]))]/
{
	printf("%s %s to %s: %s\n", "queued", "answer", node, text(element(1, args[6])));
	self->asked[text(element(1, args[6]))] = 0;
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}
