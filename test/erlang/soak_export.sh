# soak_export.sh: erltrace export for SOAK_SECONDS (240) against three nodes that are killed and started again at random, with reloads,
# scrapers that do not read, and alerts. At its end the counters are exact (calls are waited for before a node is killed), nothing is left on
# the nodes, and the service has neither more open files nor more memory than it had after the first rounds.
# `make soak-export` runs it; SEED repeats a run.
. "$srcdir/lib.sh"
. "$srcdir/../cli/export.sh"
trap 'export_end; node_end' EXIT
seconds=${SOAK_SECONDS:-240}
random=${SEED:-$$}
echo "seed $random" >&2
next() { # next N: a number below N in $r
	random=$(((random * 1103515245 + 12345) % 2147483648))
	r=$((random / 65536 % $1))
}
names="soak-a-$$ soak-b-$$ soak-c-$$"
start() {
	"${ERL:-erl}" -sname "$1" -setcookie "$COOKIE" -noinput -kernel logger_level error +S 2 -eval 'io:format("up~n")' >"$1.log" 2>&1 &
	eval "pid_$2=$!"
	NODES="$NODES $!"
	wait=0
	until grep -q '^up' "$1.log" || [ $wait -ge 1200 ]; do
		wait=$((wait + 1))
		sleep 0.05
	done
	: >"$1.start"
}
# every script runs on every node: what the service has open then is always the same
all_up() {
	for up_node in $names; do
		for up_script in seq.d gc processes; do
			wait_value "erltrace_attached{script=\"$up_script\",node=\"$up_node\"}" 1 || exit 1
		done
	done
}
cat >seq.d <<'D'
/* @metric @n soak_calls_total: Calls.
 * @metric @to soak_length sum @sum: Lengths. */
erlang*:lists:seq/2:entry { @n = count(); @to = quantize(args[1]); @sum = sum(args[1]); alert("[info seq] called"); }
D
{
	echo 'listen 127.0.0.1:0'
	echo 'interval 100ms'
	echo 'alert-command true'
	echo 'alert-resolve 1s'
	for n in $names; do echo "node $n"; done
	echo 'script seq.d'
	echo 'script gc'
	echo 'script processes'
} >export.conf
i=0
for n in $names; do
	start $n $i
	eval "calls_$i=0"
	i=$((i + 1))
done
export_start || exit
end=$(($(date +%s) + seconds))
rounds=0 kills=0 files=0 memory=0
while [ "$(date +%s)" -lt $end ] || [ $rounds -lt 6 ]; do
	rounds=$((rounds + 1))
	next 3; i=$r
	NODE=$(echo $names | cut -d' ' -f$((i + 1)))
	eval "NODE_PID=\$pid_$i had=\$calls_$i"
	wait_value "erltrace_attached{script=\"seq.d\",node=\"$NODE\"}" 1 || exit 1
	next 50; n=$((r + 1))
	[ "$(node_eval "[lists:seq(1, 9) || _ <- binary_to_list(binary:copy(<<0>>, $n))], ok.")" = ok ] || { echo 'the calls failed'; exit 1; }
	eval "calls_$i=$((had + n))"
	wait_value "soak_calls_total{node=\"$NODE\"}" $((had + n)) || exit 1
	next 3
	case $r in
	0)
		# the calls of the next round count only if the service has seen that the node was gone, and is attached again
		attaches=$(value "erltrace_attaches_total{script=\"seq.d\",node=\"$NODE\"}")
		kill -9 "$NODE_PID"
		wait "$NODE_PID" 2>/dev/null
		kills=$((kills + 1))
		start "$NODE" $i
		wait_least "erltrace_attaches_total{script=\"seq.d\",node=\"$NODE\"}" $((attaches + 1)) || exit 1
		;;
	1) kill -HUP $EXPORT_PID ;;
	2)
		bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$1" || exit; printf "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n" >&3; sleep 0.2' - "$EXPORT_PORT"
		;;
	esac
	if [ $rounds = 6 ]; then
		all_up
		files=$(value process_open_fds)
		memory=$(value process_resident_memory_bytes)
	fi
done
all_up
i=0
for NODE in $names; do
	eval "want=\$calls_$i"
	wait_value "soak_calls_total{node=\"$NODE\"}" "$want"
	wait_value "soak_length_count{node=\"$NODE\"}" "$want"
	wait_value "soak_length_sum{node=\"$NODE\"}" $((9 * want))
	i=$((i + 1))
done
fds=$(value process_open_fds) rss=$(value process_resident_memory_bytes)
echo "$rounds rounds, $kills kills, open files $files then $fds, memory $((memory / 1024)) KiB then $((rss / 1024)) KiB" >&2
# the scraper that asks has one
[ "$fds" -le $((files + 3)) ] || echo "open files: $files, then $fds"
[ "$rss" -le $((memory + 16777216)) ] || echo "memory: $memory, then $rss"
export_stop
i=0
for NODE in $names; do
	eval "NODE_PID=\$pid_$i"
	clean_node
	i=$((i + 1))
done
