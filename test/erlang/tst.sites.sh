# The library in the node has USDT sites for consumers other than erltrace. Every probe that the tracer gives has one, with
# OTP's names and arguments. bpftrace counts exactly what happens; flags and patterns follow the semaphores, with two
# consumers and with one that was killed, and nothing is left.
# @@timeout: 180
. "$srcdir/lib.sh"
names() { readelf -n "$1" | sed -n 's/^ *Name: //p' | sort; }
names "$BUILD/otp/erltrace/priv/erltrace_tracer.so" >sites
for name in message__send message__send__remote message__queued process__spawn process__exit process__exit_signal gc_minor__start \
	function__entry function__return bif__entry nif__return user_trace__i4s4 port__open; do
	grep -qx $name sites || echo "there is no site $name"
done
grep -qx -e copy__struct -e driver__event sites && echo "a site that nothing fires"
gunzip -c "$BUILD/otp/carried-$(uname -m).gz" >carried.so
names carried.so | cmp - sites
readelf -n carried.so | grep -A2 'Name: message__send$' | sed -n 's/^ *Arguments: //p'

command -v bpftrace >/dev/null || { echo "bpftrace is not installed" >&2; exit 67; }
[ "$(id -u)" = 0 ] || { echo "bpftrace needs root" >&2; exit 67; }
why=$(bpftrace -e 'BEGIN { exit(); }' 2>&1) || { echo "bpftrace does not run on this kernel: $(echo $why)" >&2; exit 67; }
node_start -pa "$BUILD/test/erlang"
node_eval 'R = spawn(fun Loop() -> receive {From, stop} -> From ! ok; _ -> Loop() end end), register(sink, R), ok.'
# a library that was sent to the node and removed: its mapping leads to it
cp "$ERLTRACE" alone
ERLTRACE=./alone trace_start out
bpftrace_pids=
trap 'for p in $bpftrace_pids; do kill -9 $p 2>/dev/null; done; node_end' EXIT

flags() { # what the process has
	node_eval "$INFO {flags, F} = Info(whereis(sink), flags), lists:sort(F)."
}
wait_flags() { # until it has these
	wait_try=0
	while [ "$(flags)" != "$1" ]; do
		wait_try=$((wait_try + 1))
		[ $wait_try -lt 300 ] || { echo "the flags are $(flags), not $1"; return; }
		sleep 0.1
	done
}
consumer() { # consumer NUMBER PROGRAM
	sites=$(sed -n 's|^\([0-9a-f-]*\) r-xp.*/erltrace_tracer.so.*|/proc/'$NODE_PID'/map_files/\1|p' /proc/$NODE_PID/maps)
	bpftrace -e "$(echo "$2" | sed "s|SITE|usdt:$sites:erlang|g")" >bpf.$1 2>bpf.$1.err &
	eval "consumer_$1=$!"
	bpftrace_pids="$bpftrace_pids $!"
}
stopped() { # stopped PID: ends a consumer, which then prints its maps
	kill -INT "$1"
	wait "$1"
}

echo "no consumer: $(flags)"
consumer 1 'SITE:message__send { @sent[str(arg1)] = count(); @words[str(arg1)] = sum(arg2); }'
wait_flags '[send]'
node_eval '[sink ! {order, N} || N <- lists:seq(1, 3000)], sink ! {self(), stop}, receive ok -> ok end.'
stopped $consumer_1
grep -F '[sink]' bpf.1
node_eval 'R = spawn(fun Loop() -> receive _ -> Loop() end end), register(sink, R), ok.'
wait_flags '[]'
echo "it has ended: $(flags)"

# Two, of which one is killed.
consumer 2 'SITE:message__send { @ = count(); }'
wait_flags '[send]'
consumer 3 'SITE:message__queued { @[str(arg0)] = count(); }'
wait_flags '[receive, send]'
kill -9 $consumer_2
wait $consumer_2 2>/dev/null
wait_flags '[receive]'
sink=$(node_eval 'pid_to_list(whereis(sink)).' | tr -d '"')
node_eval '[sink ! N || N <- lists:seq(1, 500)], timer:sleep(100), process_info(whereis(sink), message_queue_len).'
stopped $consumer_3
grep -F "$sink" bpf.3 | sed "s/$sink/sink/"
wait_flags '[]'
echo "both have ended: $(flags)"

kill -TERM $TRACE_PID
wait $TRACE_PID
echo "erltrace has ended: $(flags) $(clean_node)"
