#!/usr/bin/env -S erltrace -qs
/*
 * Which way do requests take through the node's servers, and where does their time go? Costs more than 5 %. Each slow
 * request with every server on its way.
 *
 * A request is a call to a gen_server, gen_statem, GenServer or the like. Calls that the server makes until it replies
 * belong to it, through any number of servers. For each request that took long enough, a block is printed when its
 * client has the reply, or has given up: a line for each server on the way, in the order in which they were asked. The
 * page shows them as a waterfall.
 *
 *     AT    when it was asked, from the beginning of the request
 *     WAIT  from then until the server took it up: what waited before it in the queue, and for a scheduler
 *     RUN   from then until the reply
 *     OWN   of that, without the calls that the server made itself meanwhile
 *
 * A request that a server puts aside, to reply later from another message, keeps its time; calls that the server makes
 * after that are not its own. A request from another node begins when its server takes it up. Up to 16 calls of a
 * request are shown; what these lead to beyond that counts as requests by themselves.
 *
 * Cost: about 9 us for each call to a server, 5 us if it is not followed (SERVER, EVERY), and 0.2 us for each other
 * message of the node. On RabbitMQ it was 21 % of what a message needs.
 *
 *     erltrace -N NODE request-path [SLOWER [SECONDS [SERVER [EVERY]]]]
 *
 * @needs node
 * @arg SLOWER number optional: us; only requests that took at least so long
 * @arg SECONDS number optional: how long; 0 or without it until Ctrl-C
 * @arg SERVER string optional: only requests to this server, as its client names it; '' for any. GenServer.call names it by its pid
 * @arg EVERY number optional: follows only one in so many requests
 */
#pragma D option defaultargs
#pragma D option strsize=128
#pragma D option dynvarsize=16m
#pragma D option aggsize=4m

self string server, ref;	/* that this process asks */
self int64_t id;		/* the request that it works for: a number that no other has … */
self int hop, depth;		/* … and its place in it */

int64_t id_of[string];		/* by the reference that request and reply have in common */
int hop_of[string];
int hops[int64_t], more[int64_t], remote[int64_t];
int64_t base[int64_t];
string client[int64_t];
/* By request and hop. Times are in ns. */
int64_t at[int64_t, int], wait[int64_t, int], run[int64_t, int], calls[int64_t, int];
int depths[int64_t, int], parent[int64_t, int];
string who[int64_t, int], what[int64_t, int], reply[int64_t, int];

BEGIN
{
	@followed = sum(0);
	@slow = sum(0);
}

erlang*:gen:call/4:entry
{
	self->server = text(args[0]);
}

erlang*:::request-send
/self->id == 0 && $$3 != "" && ($$3 == self->server || $$3 == copyinstr(arg1))/
{
	is_named = 1;
}

/* A process that works for no request begins one. */
erlang*:::request-send
/self->id == 0 && ($$3 == "" || $$3 == self->server || $$3 == copyinstr(arg1)) && ($4 < 2 || ++sampled % $4 == 0)/
{
	this->id = timestamp * 64 + cpu % 64;
	base[this->id] = timestamp;
	client[this->id] = copyinstr(arg0);
	@followed = sum(1);
}

erlang*:::request-send
/self->id/
{
	this->id = self->id;
	this->depth = self->depth + 1;
	more[this->id] += hops[this->id] == 16;
}

erlang*:::request-send
/this->id && base[this->id] && hops[this->id] < 16/
{
	this->hop = hops[this->id];
	hops[this->id] = this->hop + 1;
	self->ref = copyinstr(arg2);
	self->server = 0;
	id_of[self->ref] = this->id;
	hop_of[self->ref] = this->hop;
	at[this->id, this->hop] = timestamp - base[this->id];
	depths[this->id, this->hop] = this->depth;
	parent[this->id, this->hop] = self->hop;
	who[this->id, this->hop] = copyinstr(arg1);
	what[this->id, this->hop] = copyinstr(arg3);
}

erlang*:::request-start
{
	this->ref = copyinstr(arg2);
	self->id = id_of[this->ref];
	self->hop = hop_of[this->ref];
	self->depth = 0;
}

/* Asked from another node. */
erlang*:::request-start
/self->id == 0 && $$3 == "" && substr(copyinstr(arg1), 0, 3) != "<0." && ($4 < 2 || ++sampled % $4 == 0)/
{
	self->id = timestamp * 64 + cpu % 64;
	base[self->id] = timestamp;
	client[self->id] = copyinstr(arg1);
	remote[self->id] = 1;
	hops[self->id] = 1;
	id_of[this->ref] = self->id;
	what[self->id, 0] = copyinstr(arg3);
	@followed = sum(1);
}

erlang*:::request-start
/self->id && base[self->id]/
{
	self->depth = depths[self->id, self->hop];
	who[self->id, self->hop] = copyinstr(arg0);
	wait[self->id, self->hop] = timestamp - base[self->id] - at[self->id, self->hop];
}

erlang*:::request-stop
{
	self->id = 0;
	self->hop = 0;
	self->depth = 0;
}

/* The server may be another one than was asked. */
erlang*:::request-reply
/id_of[copyinstr(arg2)] && base[id_of[copyinstr(arg2)]]/
{
	this->ref = copyinstr(arg2);
	this->i = id_of[this->ref];
	this->h = hop_of[this->ref];
	this->r = remote[this->i] && this->h == 0 ? this->ref : "";
	run[this->i, this->h] = timestamp - base[this->i] - at[this->i, this->h] - wait[this->i, this->h];
	reply[this->i, this->h] = copyinstr(arg3);
}

/* The client has its reply, has given up, or has died; of another node's client only the reply to it is seen. */
erlang*:::request-done
{
	this->r = copyinstr(arg1);
	this->e = "";
}

erlang*:gen:call/4:exception
/self->ref != NULL/
{
	this->r = self->ref;
	this->e = text(args[1]);
}

erlang*:::process-exit
/self->ref != NULL/
{
	this->r = self->ref;
	this->e = "client died";
}

erlang*:::request-done, erlang*:::request-reply, erlang*:gen:call/4:exception, erlang*:::process-exit
/this->r != "" && id_of[this->r] != 0/
{
	this->i = id_of[this->r];
	this->h = hop_of[this->r];
	this->known = base[this->i] != 0;
	this->took = timestamp - base[this->i] - at[this->i, this->h];
	id_of[this->r] = 0;
	hop_of[this->r] = 0;
	self->ref = 0;
}

erlang*:::request-done, erlang*:::request-reply, erlang*:gen:call/4:exception, erlang*:::process-exit
/this->known && depths[this->i, this->h] > 0/
{
	calls[this->i, parent[this->i, this->h]] += this->took;
}

/* Without a reply: from another node, or none. */
erlang*:::request-done, erlang*:::request-reply, erlang*:gen:call/4:exception, erlang*:::process-exit
/this->known && run[this->i, this->h] == 0/
{
	this->up = wait[this->i, this->h] != 0;
	run[this->i, this->h] = this->up ? this->took - wait[this->i, this->h] : 0;
	wait[this->i, this->h] = this->up ? wait[this->i, this->h] : this->took;
}

erlang*:gen:call/4:exception, erlang*:::process-exit
/this->known/
{
	reply[this->i, this->h] = this->e;
}

/* The request is over. There are no loops in D. */
erlang*:::request-done, erlang*:::request-reply, erlang*:gen:call/4:exception, erlang*:::process-exit
/this->known && this->h == 0/
{
	this->over = 1;
	this->slow = this->took >= $1 * 1000;
	this->n = hops[this->i];
}

erlang*:::request-done, erlang*:::request-reply, erlang*:gen:call/4:exception, erlang*:::process-exit
/this->over && this->slow/
{
	@slow = sum(1);
	printf("\n%Y on %s: %d us for %s %s\n", walltimestamp, node, this->took / 1000, client[this->i], name(client[this->i]));
	printf("%9s %9s %9s %9s\n", "AT us", "WAIT us", "RUN us", "OWN us");
	if (this->n > 0) {
		printf("%9d %9d %9d %9d  %s%s %s  %.60s -> %.40s\n", at[this->i, 0] / 1000, wait[this->i, 0] / 1000,
		    run[this->i, 0] / 1000, (run[this->i, 0] - calls[this->i, 0]) / 1000,
		    substr("                                ", 0, 2 * depths[this->i, 0]), who[this->i, 0],
		    name(who[this->i, 0]), what[this->i, 0], reply[this->i, 0]);
		@waterfall[this->i, at[this->i, 0], wait[this->i, 0], run[this->i, 0], depths[this->i, 0],
		    who[this->i, 0], name(who[this->i, 0]), what[this->i, 0], reply[this->i, 0]] = max(this->took);
	}
	if (this->n > 1) {
		printf("%9d %9d %9d %9d  %s%s %s  %.60s -> %.40s\n", at[this->i, 1] / 1000, wait[this->i, 1] / 1000,
		    run[this->i, 1] / 1000, (run[this->i, 1] - calls[this->i, 1]) / 1000,
		    substr("                                ", 0, 2 * depths[this->i, 1]), who[this->i, 1],
		    name(who[this->i, 1]), what[this->i, 1], reply[this->i, 1]);
		@waterfall[this->i, at[this->i, 1], wait[this->i, 1], run[this->i, 1], depths[this->i, 1],
		    who[this->i, 1], name(who[this->i, 1]), what[this->i, 1], reply[this->i, 1]] = max(this->took);
	}
	if (this->n > 2) {
		printf("%9d %9d %9d %9d  %s%s %s  %.60s -> %.40s\n", at[this->i, 2] / 1000, wait[this->i, 2] / 1000,
		    run[this->i, 2] / 1000, (run[this->i, 2] - calls[this->i, 2]) / 1000,
		    substr("                                ", 0, 2 * depths[this->i, 2]), who[this->i, 2],
		    name(who[this->i, 2]), what[this->i, 2], reply[this->i, 2]);
		@waterfall[this->i, at[this->i, 2], wait[this->i, 2], run[this->i, 2], depths[this->i, 2],
		    who[this->i, 2], name(who[this->i, 2]), what[this->i, 2], reply[this->i, 2]] = max(this->took);
	}
	if (this->n > 3) {
		printf("%9d %9d %9d %9d  %s%s %s  %.60s -> %.40s\n", at[this->i, 3] / 1000, wait[this->i, 3] / 1000,
		    run[this->i, 3] / 1000, (run[this->i, 3] - calls[this->i, 3]) / 1000,
		    substr("                                ", 0, 2 * depths[this->i, 3]), who[this->i, 3],
		    name(who[this->i, 3]), what[this->i, 3], reply[this->i, 3]);
		@waterfall[this->i, at[this->i, 3], wait[this->i, 3], run[this->i, 3], depths[this->i, 3],
		    who[this->i, 3], name(who[this->i, 3]), what[this->i, 3], reply[this->i, 3]] = max(this->took);
	}
	if (this->n > 4) {
		printf("%9d %9d %9d %9d  %s%s %s  %.60s -> %.40s\n", at[this->i, 4] / 1000, wait[this->i, 4] / 1000,
		    run[this->i, 4] / 1000, (run[this->i, 4] - calls[this->i, 4]) / 1000,
		    substr("                                ", 0, 2 * depths[this->i, 4]), who[this->i, 4],
		    name(who[this->i, 4]), what[this->i, 4], reply[this->i, 4]);
		@waterfall[this->i, at[this->i, 4], wait[this->i, 4], run[this->i, 4], depths[this->i, 4],
		    who[this->i, 4], name(who[this->i, 4]), what[this->i, 4], reply[this->i, 4]] = max(this->took);
	}
	if (this->n > 5) {
		printf("%9d %9d %9d %9d  %s%s %s  %.60s -> %.40s\n", at[this->i, 5] / 1000, wait[this->i, 5] / 1000,
		    run[this->i, 5] / 1000, (run[this->i, 5] - calls[this->i, 5]) / 1000,
		    substr("                                ", 0, 2 * depths[this->i, 5]), who[this->i, 5],
		    name(who[this->i, 5]), what[this->i, 5], reply[this->i, 5]);
		@waterfall[this->i, at[this->i, 5], wait[this->i, 5], run[this->i, 5], depths[this->i, 5],
		    who[this->i, 5], name(who[this->i, 5]), what[this->i, 5], reply[this->i, 5]] = max(this->took);
	}
	if (this->n > 6) {
		printf("%9d %9d %9d %9d  %s%s %s  %.60s -> %.40s\n", at[this->i, 6] / 1000, wait[this->i, 6] / 1000,
		    run[this->i, 6] / 1000, (run[this->i, 6] - calls[this->i, 6]) / 1000,
		    substr("                                ", 0, 2 * depths[this->i, 6]), who[this->i, 6],
		    name(who[this->i, 6]), what[this->i, 6], reply[this->i, 6]);
		@waterfall[this->i, at[this->i, 6], wait[this->i, 6], run[this->i, 6], depths[this->i, 6],
		    who[this->i, 6], name(who[this->i, 6]), what[this->i, 6], reply[this->i, 6]] = max(this->took);
	}
	if (this->n > 7) {
		printf("%9d %9d %9d %9d  %s%s %s  %.60s -> %.40s\n", at[this->i, 7] / 1000, wait[this->i, 7] / 1000,
		    run[this->i, 7] / 1000, (run[this->i, 7] - calls[this->i, 7]) / 1000,
		    substr("                                ", 0, 2 * depths[this->i, 7]), who[this->i, 7],
		    name(who[this->i, 7]), what[this->i, 7], reply[this->i, 7]);
		@waterfall[this->i, at[this->i, 7], wait[this->i, 7], run[this->i, 7], depths[this->i, 7],
		    who[this->i, 7], name(who[this->i, 7]), what[this->i, 7], reply[this->i, 7]] = max(this->took);
	}
	if (this->n > 8) {
		printf("%9d %9d %9d %9d  %s%s %s  %.60s -> %.40s\n", at[this->i, 8] / 1000, wait[this->i, 8] / 1000,
		    run[this->i, 8] / 1000, (run[this->i, 8] - calls[this->i, 8]) / 1000,
		    substr("                                ", 0, 2 * depths[this->i, 8]), who[this->i, 8],
		    name(who[this->i, 8]), what[this->i, 8], reply[this->i, 8]);
		@waterfall[this->i, at[this->i, 8], wait[this->i, 8], run[this->i, 8], depths[this->i, 8],
		    who[this->i, 8], name(who[this->i, 8]), what[this->i, 8], reply[this->i, 8]] = max(this->took);
	}
	if (this->n > 9) {
		printf("%9d %9d %9d %9d  %s%s %s  %.60s -> %.40s\n", at[this->i, 9] / 1000, wait[this->i, 9] / 1000,
		    run[this->i, 9] / 1000, (run[this->i, 9] - calls[this->i, 9]) / 1000,
		    substr("                                ", 0, 2 * depths[this->i, 9]), who[this->i, 9],
		    name(who[this->i, 9]), what[this->i, 9], reply[this->i, 9]);
		@waterfall[this->i, at[this->i, 9], wait[this->i, 9], run[this->i, 9], depths[this->i, 9],
		    who[this->i, 9], name(who[this->i, 9]), what[this->i, 9], reply[this->i, 9]] = max(this->took);
	}
	if (this->n > 10) {
		printf("%9d %9d %9d %9d  %s%s %s  %.60s -> %.40s\n", at[this->i, 10] / 1000, wait[this->i, 10] / 1000,
		    run[this->i, 10] / 1000, (run[this->i, 10] - calls[this->i, 10]) / 1000,
		    substr("                                ", 0, 2 * depths[this->i, 10]), who[this->i, 10],
		    name(who[this->i, 10]), what[this->i, 10], reply[this->i, 10]);
		@waterfall[this->i, at[this->i, 10], wait[this->i, 10], run[this->i, 10], depths[this->i, 10],
		    who[this->i, 10], name(who[this->i, 10]), what[this->i, 10], reply[this->i, 10]] = max(this->took);
	}
	if (this->n > 11) {
		printf("%9d %9d %9d %9d  %s%s %s  %.60s -> %.40s\n", at[this->i, 11] / 1000, wait[this->i, 11] / 1000,
		    run[this->i, 11] / 1000, (run[this->i, 11] - calls[this->i, 11]) / 1000,
		    substr("                                ", 0, 2 * depths[this->i, 11]), who[this->i, 11],
		    name(who[this->i, 11]), what[this->i, 11], reply[this->i, 11]);
		@waterfall[this->i, at[this->i, 11], wait[this->i, 11], run[this->i, 11], depths[this->i, 11],
		    who[this->i, 11], name(who[this->i, 11]), what[this->i, 11], reply[this->i, 11]] = max(this->took);
	}
	if (this->n > 12) {
		printf("%9d %9d %9d %9d  %s%s %s  %.60s -> %.40s\n", at[this->i, 12] / 1000, wait[this->i, 12] / 1000,
		    run[this->i, 12] / 1000, (run[this->i, 12] - calls[this->i, 12]) / 1000,
		    substr("                                ", 0, 2 * depths[this->i, 12]), who[this->i, 12],
		    name(who[this->i, 12]), what[this->i, 12], reply[this->i, 12]);
		@waterfall[this->i, at[this->i, 12], wait[this->i, 12], run[this->i, 12], depths[this->i, 12],
		    who[this->i, 12], name(who[this->i, 12]), what[this->i, 12], reply[this->i, 12]] = max(this->took);
	}
	if (this->n > 13) {
		printf("%9d %9d %9d %9d  %s%s %s  %.60s -> %.40s\n", at[this->i, 13] / 1000, wait[this->i, 13] / 1000,
		    run[this->i, 13] / 1000, (run[this->i, 13] - calls[this->i, 13]) / 1000,
		    substr("                                ", 0, 2 * depths[this->i, 13]), who[this->i, 13],
		    name(who[this->i, 13]), what[this->i, 13], reply[this->i, 13]);
		@waterfall[this->i, at[this->i, 13], wait[this->i, 13], run[this->i, 13], depths[this->i, 13],
		    who[this->i, 13], name(who[this->i, 13]), what[this->i, 13], reply[this->i, 13]] = max(this->took);
	}
	if (this->n > 14) {
		printf("%9d %9d %9d %9d  %s%s %s  %.60s -> %.40s\n", at[this->i, 14] / 1000, wait[this->i, 14] / 1000,
		    run[this->i, 14] / 1000, (run[this->i, 14] - calls[this->i, 14]) / 1000,
		    substr("                                ", 0, 2 * depths[this->i, 14]), who[this->i, 14],
		    name(who[this->i, 14]), what[this->i, 14], reply[this->i, 14]);
		@waterfall[this->i, at[this->i, 14], wait[this->i, 14], run[this->i, 14], depths[this->i, 14],
		    who[this->i, 14], name(who[this->i, 14]), what[this->i, 14], reply[this->i, 14]] = max(this->took);
	}
	if (this->n > 15) {
		printf("%9d %9d %9d %9d  %s%s %s  %.60s -> %.40s\n", at[this->i, 15] / 1000, wait[this->i, 15] / 1000,
		    run[this->i, 15] / 1000, (run[this->i, 15] - calls[this->i, 15]) / 1000,
		    substr("                                ", 0, 2 * depths[this->i, 15]), who[this->i, 15],
		    name(who[this->i, 15]), what[this->i, 15], reply[this->i, 15]);
		@waterfall[this->i, at[this->i, 15], wait[this->i, 15], run[this->i, 15], depths[this->i, 15],
		    who[this->i, 15], name(who[this->i, 15]), what[this->i, 15], reply[this->i, 15]] = max(this->took);
	}
	if (more[this->i])
		printf("and calls from there on: %d\n", more[this->i]);
}

erlang*:::request-done, erlang*:::request-reply, erlang*:gen:call/4:exception, erlang*:::process-exit
/this->over/
{
	base[this->i] = 0;
	client[this->i] = 0;
	hops[this->i] = 0;
	more[this->i] = 0;
	remote[this->i] = 0;
	if (this->n > 0) {
		at[this->i, 0] = 0; wait[this->i, 0] = 0; run[this->i, 0] = 0; calls[this->i, 0] = 0; depths[this->i, 0] = 0;
		parent[this->i, 0] = 0; who[this->i, 0] = 0; what[this->i, 0] = 0; reply[this->i, 0] = 0;
	}
	if (this->n > 1) {
		at[this->i, 1] = 0; wait[this->i, 1] = 0; run[this->i, 1] = 0; calls[this->i, 1] = 0; depths[this->i, 1] = 0;
		parent[this->i, 1] = 0; who[this->i, 1] = 0; what[this->i, 1] = 0; reply[this->i, 1] = 0;
	}
	if (this->n > 2) {
		at[this->i, 2] = 0; wait[this->i, 2] = 0; run[this->i, 2] = 0; calls[this->i, 2] = 0; depths[this->i, 2] = 0;
		parent[this->i, 2] = 0; who[this->i, 2] = 0; what[this->i, 2] = 0; reply[this->i, 2] = 0;
	}
	if (this->n > 3) {
		at[this->i, 3] = 0; wait[this->i, 3] = 0; run[this->i, 3] = 0; calls[this->i, 3] = 0; depths[this->i, 3] = 0;
		parent[this->i, 3] = 0; who[this->i, 3] = 0; what[this->i, 3] = 0; reply[this->i, 3] = 0;
	}
	if (this->n > 4) {
		at[this->i, 4] = 0; wait[this->i, 4] = 0; run[this->i, 4] = 0; calls[this->i, 4] = 0; depths[this->i, 4] = 0;
		parent[this->i, 4] = 0; who[this->i, 4] = 0; what[this->i, 4] = 0; reply[this->i, 4] = 0;
	}
	if (this->n > 5) {
		at[this->i, 5] = 0; wait[this->i, 5] = 0; run[this->i, 5] = 0; calls[this->i, 5] = 0; depths[this->i, 5] = 0;
		parent[this->i, 5] = 0; who[this->i, 5] = 0; what[this->i, 5] = 0; reply[this->i, 5] = 0;
	}
	if (this->n > 6) {
		at[this->i, 6] = 0; wait[this->i, 6] = 0; run[this->i, 6] = 0; calls[this->i, 6] = 0; depths[this->i, 6] = 0;
		parent[this->i, 6] = 0; who[this->i, 6] = 0; what[this->i, 6] = 0; reply[this->i, 6] = 0;
	}
	if (this->n > 7) {
		at[this->i, 7] = 0; wait[this->i, 7] = 0; run[this->i, 7] = 0; calls[this->i, 7] = 0; depths[this->i, 7] = 0;
		parent[this->i, 7] = 0; who[this->i, 7] = 0; what[this->i, 7] = 0; reply[this->i, 7] = 0;
	}
	if (this->n > 8) {
		at[this->i, 8] = 0; wait[this->i, 8] = 0; run[this->i, 8] = 0; calls[this->i, 8] = 0; depths[this->i, 8] = 0;
		parent[this->i, 8] = 0; who[this->i, 8] = 0; what[this->i, 8] = 0; reply[this->i, 8] = 0;
	}
	if (this->n > 9) {
		at[this->i, 9] = 0; wait[this->i, 9] = 0; run[this->i, 9] = 0; calls[this->i, 9] = 0; depths[this->i, 9] = 0;
		parent[this->i, 9] = 0; who[this->i, 9] = 0; what[this->i, 9] = 0; reply[this->i, 9] = 0;
	}
	if (this->n > 10) {
		at[this->i, 10] = 0; wait[this->i, 10] = 0; run[this->i, 10] = 0; calls[this->i, 10] = 0; depths[this->i, 10] = 0;
		parent[this->i, 10] = 0; who[this->i, 10] = 0; what[this->i, 10] = 0; reply[this->i, 10] = 0;
	}
	if (this->n > 11) {
		at[this->i, 11] = 0; wait[this->i, 11] = 0; run[this->i, 11] = 0; calls[this->i, 11] = 0; depths[this->i, 11] = 0;
		parent[this->i, 11] = 0; who[this->i, 11] = 0; what[this->i, 11] = 0; reply[this->i, 11] = 0;
	}
	if (this->n > 12) {
		at[this->i, 12] = 0; wait[this->i, 12] = 0; run[this->i, 12] = 0; calls[this->i, 12] = 0; depths[this->i, 12] = 0;
		parent[this->i, 12] = 0; who[this->i, 12] = 0; what[this->i, 12] = 0; reply[this->i, 12] = 0;
	}
	if (this->n > 13) {
		at[this->i, 13] = 0; wait[this->i, 13] = 0; run[this->i, 13] = 0; calls[this->i, 13] = 0; depths[this->i, 13] = 0;
		parent[this->i, 13] = 0; who[this->i, 13] = 0; what[this->i, 13] = 0; reply[this->i, 13] = 0;
	}
	if (this->n > 14) {
		at[this->i, 14] = 0; wait[this->i, 14] = 0; run[this->i, 14] = 0; calls[this->i, 14] = 0; depths[this->i, 14] = 0;
		parent[this->i, 14] = 0; who[this->i, 14] = 0; what[this->i, 14] = 0; reply[this->i, 14] = 0;
	}
	if (this->n > 15) {
		at[this->i, 15] = 0; wait[this->i, 15] = 0; run[this->i, 15] = 0; calls[this->i, 15] = 0; depths[this->i, 15] = 0;
		parent[this->i, 15] = 0; who[this->i, 15] = 0; what[this->i, 15] = 0; reply[this->i, 15] = 0;
	}
}

/* For pictures, and the page's waterfall: the slowest. */
tick-1s
{
	trunc(@waterfall, 320);
}

tick-1s
/$2 && ++seconds >= $2/
{
	exit(0);
}

END
/$$3 != "" && !is_named/
{
	printf("\nNo client has named its server %s. It may name it by its pid (<0.95.0>), as GenServer.call does.\n", $$3);
}

END
{
	printf("\n");
	printa("%@d requests followed, ", @followed);
	printa("%@d shown\n", @slow);
	trunc(@followed);
	trunc(@slow);
	trunc(@waterfall);
}
