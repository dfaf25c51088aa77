/*
 * A function past its latency budget: how long calls of one function take, and an alert while its p99 is over the budget, for some time.
 *
 * Cost: about 1 us for each call and return of that function.
 *
 * $1: its module; $2: function/arity, such as checkout/1; $3: ms (100); $4: for how many seconds it must be so (30)
 *
 * @metric @taken erlang_function_seconds by function in ns sum @sum buckets 1000..10000000000: How long calls of a function take.
 */
#pragma D option defaultargs

alert p99(@taken) > ($3 ? $3 : 100) ms for ($4 ? $4 : 30) s over ($4 ? $4 : 30) s "[error budget] %s takes %@d ms (p99)";

erlang*:$1:$2:entry
{
	self->began[probefunc] = timestamp;
}

erlang*:$1:$2:return
/self->began[probefunc]/
{
	this->taken = timestamp - self->began[probefunc];
	this->function = strjoin(probemod, strjoin(":", probefunc));
	@taken[this->function] = llquantize(this->taken, 10, 3, 10, 20);
	@sum[this->function] = sum(this->taken);
	self->began[probefunc] = 0;
}
