# --join: a node that joins the cluster while a script runs gets the script. A node that is lost and comes back is
# traced again, and what it had counted before stays. A node that does not answer while it joins delays nobody. Values
# of all nodes are merged as if one node had seen everything. A node that is given under two names is noticed.
. "$srcdir/lib.sh"

node_start; A=$NODE; PIDA=$NODE_PID
node_start; B=$NODE; PIDB=$NODE_PID

names() {
	sed -e "s/$A/A/g; s/$B/B/g; s/${C:-none}/C/g; s/${D:-none}/D/g; s/@[A-Za-z0-9.-]*//g"
}
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
# joins NODE: becomes known to A
joins() {
	NODE=$1
	node_eval "file:write_file(\"$PWD/pings\", []), net_adm:ping(list_to_atom(\"$A\" ++ lists:dropwhile(fun(X) -> X =/= \$@ end, atom_to_list(node()))))." >/dev/null
}

"$ERLTRACE" --cookie "$COOKIE" -N "$A" -N "$A@localhost" -n 'BEGIN { exit(0); }' 2>&1 | names
"$ERLTRACE" --join -n 'BEGIN { exit(0); }' 2>&1
"$ERLTRACE" --cookie "$COOKIE" -N "$A" -N "$B" -x join=sometimes -n 'BEGIN { exit(0); }' 2>&1

joins "$B"
: >out
env --default-signal "$ERLTRACE" --cookie "$COOKIE" --cluster "$A" --join -x switchrate=20ms -x aggrate=20ms -x statusrate=50ms -q \
	-n 'BEGIN { mine = 1000; }
	erlang*:lists:seq/2:entry { @n[node] = count(); @all = sum(mine); printf("seen on %s\n", node); }
	tick-20ms { printf("tracing %s\n", node); }' >out 2>err &
TRACE_PID=$!
until_in "tracing $A@" out
until_in "tracing $B@" out
calls "$A" 3
calls "$B" 5
until_in "seen on $B@" out

# one that joins
node_start; C=$NODE; PIDC=$NODE_PID
joins "$C"
until_in "tracing $C@" out
calls "$C" 7

# one that is lost and comes back under its name
kill -9 "$PIDB"
until_in 'is lost' err
BEFORE=$NODES
grep -c "tracing $B@" out >ticks
NODES=$(echo "$BEFORE" | cut -d' ' -f1,2) # so that it gets the same name
node_start; PIDB2=$NODE_PID
[ "$NODE" = "$B" ] || echo "it is called $NODE"
NODES="$BEFORE $NODE_PID"
joins "$B"
until_in 'is back' err
wait=0
until [ "$(grep -c "tracing $B@" out)" -gt "$(cat ticks)" ] || [ $wait -gt 1200 ]; do
	sleep 0.05
	wait=$((wait + 1))
done
calls "$B" 11

# one that joins and then does not answer: the others go on, and so does the end
node_start; D=$NODE; PIDD=$NODE_PID
freeze "$PIDA" # so that A knows D only when D is stopped
rm pings
joins "$D" &
JOINS=$!
until [ -e pings ]; do sleep 0.05; done
sleep 1
freeze "$PIDD"
kill -CONT "$PIDA"
calls "$C" 1
began=$(date +%s)
kill -TERM $TRACE_PID
wait $TRACE_PID
echo "status $?"
[ $(($(date +%s) - began)) -le 30 ] || echo "it took $(($(date +%s) - began)) s to end"
kill -CONT "$PIDD"
wait $JOINS
grep -v -e tracing -e seen -e '^$' out | names | sed 's/  */ /g; s/^ //'
names <err | grep -v -e 'does not answer' -e 'answers again' -e '^node D' | sed -e 's/: the connection to .*//'
for i in "$A $PIDA" "$B $PIDB2" "$C $PIDC" "$D $PIDD"; do
	NODE=${i% *} NODE_PID=${i#* }
	clean_node
done
