#!/usr/bin/env -S erltrace -qs
/*
 * What do the node's servers get asked? Costs more than 5 %. Calls and casts of gen_server by the server and the
 * request's name: its atom, or the first element of its tuple. Messages are looked at as terms; only what is shown is
 * turned into text.
 *
 * Cost: about 0.2 us for each message to a process, whatever the message is. On RabbitMQ it was 20 % of what a message
 * needs. With -x sample=8 it looks at one process of eight.
 *
 *     erltrace -N NODE requests [SECONDS]
 *
 * @needs node
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs

erlang*:::message-send
/is_tuple(args[6]) && tuple_size(args[6]) == 3 && element(1, args[6]) == "'$gen_call'"/
{
	this->request = element(3, args[6]);
	this->is_tagged = is_tuple(this->request) && tuple_size(this->request) > 0;
	@calls[copyinstr(arg1), this->is_tagged ? element(1, this->request) : this->request] = count();
}

erlang*:::message-send
/is_tuple(args[6]) && tuple_size(args[6]) == 2 && element(1, args[6]) == "'$gen_cast'"/
{
	this->request = element(2, args[6]);
	this->is_tagged = is_tuple(this->request) && tuple_size(this->request) > 0;
	@casts[copyinstr(arg1), this->is_tagged ? element(1, this->request) : this->request] = count();
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}

END
{
	printf("%-24s %-40s %10s\n", "SERVER", "CALL", "COUNT");
	printa("%-24s %-40.40s %@10u\n", @calls);
	printf("%-24s %-40s %10s\n", "SERVER", "CAST", "COUNT");
	printa("%-24s %-40.40s %@10u\n", @casts);
	trunc(@calls);
	trunc(@casts);
}
