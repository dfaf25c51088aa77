# The node itself ends tracing that takes more of a scheduler than maxoverhead allows, and the command says so. Two
# scripts at the same time do not disturb each other. A node runs at most 16 scripts.
# @@timeout: 180
. "$srcdir/lib.sh"
erlc -o . "$srcdir/load.erl" || exit 1
node_start
node_eval 'load:start(2).'
# dear enough to be over a percent also where the node gets a tenth of a processor
timeout 120 "$ERLTRACE" -N "$NODE" --cookie "$COOKIE" -q -x maxoverhead=1 -n 'erlang*:load:*:entry {
	@ = count(); this->s = strjoin(probefunc, probefunc); @a[this->s] = count(); @b[this->s, probefunc] = count(); @c[strjoin(this->s, this->s)] = count(); }
	END { printa("%@d\n", @); clear(@); clear(@a); clear(@b); clear(@c); trunc(@); trunc(@a); trunc(@b); trunc(@c); }' >out 2>err
echo "status $?, $(grep -c '[0-9]' out) line"
sed -e 's/took [0-9]*%/took N%/; s/node [^:]*:/node NAME:/; s/What cost most: .*/What cost most: …/' err
node_eval 'load:stop().'
echo "after: $(clean_node)"

trace_start one -n 'erlang*:load:up/1:entry { @ = count(); }'
one_pid=$TRACE_PID
trace_start two -n 'erlang*:load:up/1:entry { @ = count(); } erlang*:load:up/1:return { @r = count(); }'
node_eval '[load:call(I) || I <- lists:seq(1, 1000)], ok.'
trace_stop
cat two.txt
node_eval '[load:call(I) || I <- lists:seq(1, 500)], ok.'
trace_out=one TRACE_PID=$one_pid
trace_stop
cat one.txt

i=0
pids=
while [ $i -lt 16 ]; do
	trace_start many$i -x bufsize=64k -x aggsize=64k -x dynvarsize=64k -n 'erlang*:load:up/1:entry { @ = count(); }'
	pids="$pids $TRACE_PID"
	i=$((i + 1))
done
trace -q -n 'erlang*:load:up/1:entry { @ = count(); }' 2>&1 | sed 's/.*: //'
for p in $pids; do kill -9 $p; wait $p; done 2>/dev/null
echo "after: $(clean_node)"
