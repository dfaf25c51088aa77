# The time for one event is bounded, whatever the clauses do, including those of ERROR. A script that needs more again
# and again is ended, and the command says so. Status is reported without delay meanwhile.
# @@timeout: 180
. "$srcdir/lib.sh"
erlc -o . "$srcdir/load.erl" || exit 1
node_start

# One call after the other: what the node has taken of the processor for each, in ms. Without a bound the first script takes a
# second for a call, the second one half a minute.
CALLS='Each = fun(N) -> {T0, _} = statistics(runtime), [load:call(1) || _ <- lists:seq(1, N)], {T1, _} = statistics(runtime), (T1 - T0) div N end,'
awk 'BEGIN {
	print "erlang*:load:call/1:entry { this->x = strjoin(probefunc, \"aaaaaaaaaaaaaaaa\");"
	for (i = 0; i < 12; i++) print "this->x = strjoin(this->x, this->x);"
	for (i = 0; i < 900; i++) print "n = index(this->x, \"aaab\");"
	print "}" }' >many.d
trace_start out -x strsize=64k -x scratchsize=16m -x maxoverhead=0 -s many.d
node_eval "$CALLS"' case Each(5) of T when T < 60 -> bounded; T -> {took, T} end.'
trace_stop 2>err
sed -e 's/^[^:]*: error on enabled probe ID [0-9]* (ID [0-9]*: erlang[0-9]*/fault (erlang/; s/action #[0-9]* at DIF offset [0-9]*/action #N/' err | sort -u

# Each clause that faults lets ERROR run; together they have one event's time.
awk 'BEGIN {
	for (c = 0; c < 60; c++) {
		print "erlang*:load:call/1:entry { this->x = strjoin(probefunc, \"aaaaaaaaaaaaaaaa\");"
		for (i = 0; i < 12; i++) print "this->x = strjoin(this->x, this->x);"
		print "n = 1 / (strlen(this->x) - strlen(this->x)); }"
	}
	print "ERROR { this->x = strjoin(probename, \"aaaaaaaaaaaaaaaa\");"
	for (i = 0; i < 12; i++) print "this->x = strjoin(this->x, this->x);"
	for (i = 0; i < 200; i++) print "n = rindex(this->x, \"baaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\");"
	print "}" }' >errors.d
trace_start out -x strsize=64k -x scratchsize=16m -x maxoverhead=0 -s errors.d
node_eval "$CALLS"' case Each(3) of T when T < 60 -> bounded; T -> {took, T} end.'
trace_stop 2>err
grep -q 'took longer than maxfire' err && echo "it says so"
grep -q 'clauses left out: the event took longer than maxfire' err && echo "and what was left out"

# Again and again.
trace_start out -x strsize=64k -x scratchsize=16m -x maxoverhead=0 -s many.d
node_eval "$CALLS"' Each(30), ok.'
wait $TRACE_PID
echo "status $?"
grep 'was ended' out.err | sed -e 's/node [^:]*:/node NAME:/; s/erlang[0-9]*/erlang/'
node_eval "$CALLS"' case Each(100) of T when T < 5 -> over; T -> {took, T} end.'
echo "after: $(clean_node)"

# More time may be allowed.
trace_start out -x strsize=64k -x scratchsize=16m -x maxoverhead=0 -x maxfire=1s -n 'erlang*:load:up/1:entry { @ = count(); }'
node_eval 'load:call(1), ok.'
trace_stop
cat out.txt
trace -q -x maxfire=2s -n 'erlang*:load:up/1:entry { @ = count(); }' 2>&1 | sed 's/.*: //'
