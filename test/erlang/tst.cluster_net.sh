# Nodes of other hosts: in network namespaces. Their clocks are compared, with the uncertainty. One that is cut off is
# reported, the others go on, and when it can be reached again nothing that it has counted is missing.
. "$srcdir/lib.sh"
[ "$(id -u)" = 0 ] && command -v ip >/dev/null || { echo 'network namespaces need root and ip' >&2; exit 67; }
ID=$(($$ % 10000))
NET=10.$((100 + $$ % 100)).$(($$ / 100 % 256))
ip link add "etb$ID" type bridge 2>/dev/null || { echo 'no network device can be made here' >&2; exit 67; }
end() {
	kill -9 $TRACE_PID 2>/dev/null
	for i in 1 2; do
		for p in $(ip netns pids "etn$ID-$i" 2>/dev/null); do
			kill -9 "$p"
		done
		ip netns del "etn$ID-$i" 2>/dev/null
	done
	ip link del "etb$ID"
}
trap end EXIT
ip addr add "$NET.100/24" dev "etb$ID" && ip link set "etb$ID" up || exit 1
inside() {
	i=$1
	shift
	ip netns exec "etn$ID-$i" "$@"
}
on() { # on I EXPRESSION: evaluates it on node I, as node_eval does
	call_node "$2" inside "$1" "$ERL_CALL" -name "n$1@$NET.$1"
}
for i in 1 2; do
	ip netns add "etn$ID-$i" &&
		ip link add "etv$ID-$i" type veth peer name eth0 netns "etn$ID-$i" &&
		ip link set "etv$ID-$i" master "etb$ID" && ip link set "etv$ID-$i" up &&
		inside $i ip addr add "$NET.$i/24" dev eth0 && inside $i ip link set eth0 up && inside $i ip link set lo up ||
		exit 1
	inside $i "${ERL:-erl}" -name "n$i@$NET.$i" -setcookie "$COOKIE" -noinput -kernel logger_level error -eval '
		io:format("up~n"),
		spawn(fun() -> (fun F(N) -> calendar:is_leap_year(N), N < 40000 andalso (receive after 10 -> F(N + 1) end) end)(1) end).' \
		>"n$i.log" 2>&1 &
	wait=0
	until grep -q '^up' "n$i.log" || [ $wait -gt 1200 ]; do
		sleep 0.05
		wait=$((wait + 1))
	done
done
names() {
	sed -e "s/$NET[.][12]/HOST/g"
}
until_in() {
	wait=0
	until grep -q "$1" "$2" || ! kill -0 $TRACE_PID 2>/dev/null || [ $wait -gt 1200 ]; do
		sleep 0.05
		wait=$((wait + 1))
	done
}
: >out
# each call has the next number: none may be missing
env --default-signal "$ERLTRACE" --cookie "$COOKIE" -N "n1@$NET.1" -N "n2@$NET.2" -v -x switchrate=20ms -x aggrate=50ms -x statusrate=50ms \
	-qn 'erlang*:calendar:is_leap_year/1:entry { @n[node] = count(); @first[node] = min((int)args[0]); @last[node] = max((int)args[0]);
	printf("seen on %s\n", node); }' >out 2>err &
TRACE_PID=$!
until_in "seen on n1" out
until_in "seen on n2" out
ip link set "etv$ID-2" down
until_in 'n2@.* does not answer' err
ip link set "etv$ID-2" up
until_in 'n2@.* answers again' err
kill -TERM $TRACE_PID
wait $TRACE_PID
echo "status $?"
TRACE_PID=
names <err | sed -n -e "s/^erltrace: //" -e 's/is -*[0-9]* us ahead of ours, give or take [1-9][0-9]* us/is measured/p' -e '/node n2@.*answer/p' | awk '!seen[$0]++' # on a busy machine also at other times
names <out | awk '$1 ~ /^n[12]@/ && $2 ~ /^[0-9]+$/ { v[$1] = v[$1] " " $2 }
	END { for (n in v) { split(v[n], x); print n, x[1] == x[3] - x[2] + 1 ? "has all" : "lacks some:" v[n] } }' | sort
for i in 1 2; do
	on $i 'W = fun W(N) -> case [M || M <- erlang:loaded() ++ registered(), lists:prefix("erltrace", atom_to_list(M))] of
		[] -> clean; L when N =:= 0 -> L; _ -> timer:sleep(100), W(N - 1) end end, W(300).'
done
