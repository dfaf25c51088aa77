# cluster.sh BUILD [COUNT [SECONDS]]: what snapshots of a node are, and what it takes to collect from many: a real agent's
# bytes, sent by simulated nodes (sim_nodes.c), collected by the command. CPU is that of the command. With up to 100 nodes it
# fails if that takes more than a core, or more than 200 MB, or if nothing comes.
BUILD=$(cd "$1" && pwd)
COUNT=${2:-100}
SECONDS_=${3:-20}
srcdir=$(cd "$(dirname "$0")/../../test/erlang" && pwd)
ERLTRACE=$BUILD/erltrace
scratch=$(mktemp -d)
cd "$scratch" || exit 1
. "$srcdir/lib.sh"
SIMS=
end() {
	[ -z "$SIMS" ] || kill $SIMS 2>/dev/null
	node_end
	rm -rf "$scratch"
}
trap end EXIT
node_start -pa "$BUILD/otp/erltrace/ebin" -pa "$BUILD/bench/erlang" -s cluster_bytes module_info
library=$BUILD/otp/erltrace/priv/erltrace_tracer
count='erlang*:cluster_bytes:one/2:entry { @[text(args[0])] = count(); }'
quantize='erlang*:cluster_bytes:one/2:entry { @[text(args[0])] = quantize((int)args[1]); }'
llquantize='erlang*:cluster_bytes:one/2:entry { @[text(args[0])] = llquantize((int)args[1], 10, 0, 6, 20); }'

bytes() { # bytes NAME SCRIPT KEYS BUCKETS
	trace --compile-only -o "$1.dobj" -n "$2" >/dev/null || exit 1
	node_eval "#{bytes := B, us := U, merge_us := M} = cluster_bytes:main(\"$PWD/$1.dobj\", \"$library\", $3, $4, \"$PWD/$1.$3.$4\"),
		io_lib:format(\"~b bytes, ~b us, merging eight ~b us\", [B, U, M])." | tr -d '"[]' >"$1.said"
	node_eval "{ok, I} = file:read_file_info(\"$PWD/$1.$3.$4\"), element(2, I)." >/dev/null
	printf '%-12s %6d keys %3d buckets: %s\n' "$1" "$3" "$4" "$(cat "$1.said")"
}
echo "== snapshot of one node: bytes, time until the agent has answered, and until it has merged those of eight others"
for keys in 100 1000 10000; do
	bytes count "$count" $keys 1
	bytes quantize "$quantize" $keys 1
	bytes quantize "$quantize" $keys 8
	bytes llquantize "$llquantize" $keys 8
done

ticks() {
	sed 's/.*) //' "/proc/$1/stat" | awk '{ print $12 + $13 }'
}
collect() { # collect NODES NAME SCRIPT FILE MS MERGEABOVE [distinct]
	: >sims
	"$BUILD/bench/erlang/sim_nodes" "$1" "$COOKIE" "$4" "$5" $7 >sims 2>&1 &
	SIMS=$!
	wait=0
	until [ "$(grep -c '^up' sims)" -ge "$1" ] || [ $wait -gt 600 ]; do
		sleep 0.1
		wait=$((wait + 1))
	done
	args=
	i=0
	while [ $i -lt "$1" ]; do
		i=$((i + 1))
		args="$args -N sim$i"
	done
	env --default-signal "$ERLTRACE" --cookie "$COOKIE" $args -x mergeabove="$6" -qn "$3" >out 2>err &
	pid=$!
	wait=0
	until [ "$(grep -c '^go' sims)" -ge "$1" ] || [ $wait -gt 1200 ]; do
		sleep 0.1
		wait=$((wait + 1))
	done
	sleep 2 # the first snapshots
	from=$(ticks $pid)
	began=$(date +%s%N)
	sleep "$SECONDS_"
	to=$(ticks $pid)
	ms=$((($(date +%s%N) - began) / 1000000))
	peak=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$pid/status")
	kill -TERM $pid
	wait $pid
	keys=$(grep -c 'key_' out)
	kill $SIMS
	wait $SIMS 2>/dev/null
	SIMS=
	cpu=$(((to - from) * 1000 * 100 / $(getconf CLK_TCK) / ms))
	printf '%4d nodes, %-34s %3d %% of a core, %4d MB, %6d keys\n' "$1" "$2:" $cpu $((peak / 1024)) "$keys"
	if [ "$1" -le 100 ] && { [ $cpu -gt 100 ] || [ $((peak / 1024)) -gt 200 ]; }; then
		echo "too much: 100 nodes may take one core and 200 MB"
		failed=1
	fi
	[ "$keys" -gt 0 ] || failed=1 # the reason follows
	sort err | uniq -c | sort -rn | head -3 | grep -v matched || :
}
failed=0
for above in 30 100000; do
	case $above in
	30) echo "== the command, with 1000 keys of each node, merged on the way" ;;
	*) echo "== the same, from each node directly (-x mergeabove=$above)" ;;
	esac
	collect "$COUNT" "quantize, once a second, same keys" "$quantize" quantize.1000.8 1000 $above
	collect "$COUNT" "quantize, once a second, own keys" "$quantize" quantize.1000.8 1000 $above distinct
	collect "$COUNT" "quantize, always, same keys" "$quantize" quantize.1000.8 0 $above
	collect "$COUNT" "count, once a second, own keys" "$count" count.1000.1 1000 $above distinct
done
exit $failed
