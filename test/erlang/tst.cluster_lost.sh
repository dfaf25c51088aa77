# Some of several nodes fail. A node that cannot be reached is an error before anything is done to the others. A node
# that is killed or stopped while a script runs is reported; what it had counted stays in the result, the others
# continue, and the command ends in time with status 1.
. "$srcdir/lib.sh"

node_start; A=$NODE; PIDA=$NODE_PID
node_start; B=$NODE; PIDB=$NODE_PID
node_start; C=$NODE; PIDC=$NODE_PID

names() {
	sed -e "s/$A/A/g; s/$B/B/g; s/$C/C/g; s/@[A-Za-z0-9.-]*//g"
}

# -- the command line
refused() {
	"$ERLTRACE" --cookie "$COOKIE" "$@" -n 'BEGIN { exit(0); }' 2>&1 | names | sed -e 's/; it knows.*//; s/port [0-9]*/port N/; s/epmd on [^ ]*/epmd/'
}
refused -N "$A" -N "$B" -N "$A"
refused -N "$A" -N "$B" -N "$B@$(hostname -s)"
refused -N "$A" -N nosuch -N "$B"
refused -N "$A" -N "$B" -p $$
refused -N "$A" -N "$B" -c true
if "$ERLTRACE" -l -n 'syscall::read:entry' >/dev/null 2>&1; then
	refused -N "$A" -N "$B" -qn 'syscall::read:entry { @ = count(); }' | grep -o 'is a probe of the kernel'
else
	echo 'is a probe of the kernel'
fi
refused -N "$A" -N "$B" -x engine=kernel -q
"$ERLTRACE" --cookie "$COOKIE" -N "$A" -N "$B" top 2>&1 | names
COOKIE_OF_ALL=$COOKIE
COOKIE=another
node_start; D=$NODE
COOKIE=$COOKIE_OF_ALL
refused -N "$A" -N "$D" -N "$B" | sed "s/$D/D/g"
NODE=$A NODE_PID=$PIDA; clean_node # what was sent to them before D refused goes within a moment
NODE=$B NODE_PID=$PIDB; clean_node

start() {
	: >out
	env --default-signal "$ERLTRACE" --cookie "$COOKIE" -x switchrate=20ms -x aggrate=20ms -x statusrate=50ms -q "$@" \
		-n 'erlang*:lists:seq/2:entry { @n[node] = count(); @all = count(); printf("seen on %s\n", node); }
		tick-20ms { printf("tracing %s\n", node); }' >out 2>err &
	TRACE_PID=$!
}

# until 'pattern' FILE: at most a minute
until_in() {
	wait=0
	until grep -q "$1" "$2" || ! kill -0 $TRACE_PID 2>/dev/null || [ $wait -gt 1200 ]; do
		sleep 0.05
		wait=$((wait + 1))
	done
}

calls() {
	NODE=$1
	node_eval "[lists:seq(1, 2) || _ <- lists:seq(1, $2)], ok." >/dev/null
}

# stop SECONDS: ends it, which must not take longer
stop() {
	began=$(date +%s)
	kill -TERM $TRACE_PID
	wait $TRACE_PID
	echo "status $?"
	[ $(($(date +%s) - began)) -le "$1" ] || echo "it took $(($(date +%s) - began)) s to end"
	grep -v -e tracing -e seen -e '^$' out | names | sed 's/  */ /g; s/^ //'
	names <err | grep -v -e 'does not answer' -e 'answers again' | sed -e 's/within [0-9]* ms/in time/; s/; its last state.*//; s/; what it gathered.*//'
}

echo '-- killed'
start -N "$A" -N "$B" -N "$C"
for n in "$A" "$B" "$C"; do
	until_in "tracing $n@" out
done
calls "$A" 3
calls "$B" 5
until_in "seen on $B@" out
kill -9 "$PIDB"
until_in 'is lost' err
calls "$C" 7
stop 30

echo '-- stopped'
start -N "$A" -N "$C"
until_in "tracing $A@" out
until_in "tracing $C@" out
calls "$C" 4
until_in "seen on $C@" out
freeze "$PIDC"
until_in 'does not answer' err
calls "$A" 6
stop 30
kill -CONT "$PIDC"
NODE=$A NODE_PID=$PIDA; clean_node
NODE=$C NODE_PID=$PIDC; clean_node

echo '-- stopped for a while'
start -N "$A" -N "$C"
until_in "tracing $A@" out
until_in "tracing $C@" out
freeze "$PIDC"
until_in 'does not answer' err
kill -CONT "$PIDC"
until_in 'answers again' err
calls "$A" 2
calls "$C" 1
stop 60
