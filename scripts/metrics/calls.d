/*
 * How long callers wait for servers: calls to gen_server, gen_statem, GenServer and their kin, by server.
 *
 * Cost: 1.1 us for each call to a server, up to 6 us on schedulers that mostly sleep; everything else runs at full
 * speed. At most 1 % of a scheduler: where it would be more, `erltrace export` runs it for a part of the time and
 * estimates the rest.
 *
 * @share 1
 * @metric @wait erlang_server_call_seconds by server in ns sum @total buckets 1000..60000000000: How long callers wait for a server.
 */
erlang*:gen:call/4:entry
{
	self->server = text(args[0]);
	self->asked = timestamp;
}

erlang*:gen:call/4:return
/self->asked/
{
	this->waited = timestamp - self->asked;
	@wait[self->server] = quantize(this->waited);
	@total[self->server] = sum(this->waited);
	self->asked = 0;
	self->server = 0;
}
