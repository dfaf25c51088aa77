# The library in the node has USDT sites for consumers other than erltrace. Every probe that the tracer gives has one, with
# OTP's names and arguments. bpftrace counts exactly what happens; flags and patterns follow the semaphores, with two
# consumers and with one that was killed, and nothing is left.
# @@timeout: 300
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
# wait_flags FLAGS SITES: waits until these sites have consumers, and then until the process has these flags: two seconds,
# if the machine is not overloaded.
wait_flags() {
	most=2000
	[ "$(cut -d. -f1 /proc/loadavg)" -le $((2 * $(nproc))) ] || most=20000
	waited=$(node_eval "$INFO"' Look = fun() -> {flags, F} = Info(whereis(sink), flags), lists:sort(F) end,
	Raised = fun() -> try element(1, erltrace_tracer:raised()) catch error:_ -> [] end end,
	Now = fun() -> erlang:monotonic_time(millisecond) end,
	Until = fun Until(Fun, Wanted, End) ->
	    case Fun() of
	        Wanted -> ok;
	        Other -> case Now() > End of true -> Other; false -> timer:sleep(20), Until(Fun, Wanted, End) end
	    end
	end,
	case Until(Raised, '"$2"', Now() + 100000) of
	    ok -> Until(Look, '"$1"', Now() + '$most');
	    Other -> {raised, Other}
	end.')
	[ "$waited" = ok ] || echo "the flags are not $1 with $2, but: $waited"
}
consumer() { # consumer NUMBER PROGRAM
	# (with musl what was removed stays mapped)
	sites=/proc/$NODE_PID/map_files/$(awk '$2 == "r-xp" && /\/erltrace_tracer.so/ { at[/deleted/] = $1 } END { print at[0] ? at[0] : at[1] }' /proc/$NODE_PID/maps)
	bpftrace -e "$(echo "$2" | sed "s|SITE|usdt:$sites:erlang|g")" >bpf.$1 2>bpf.$1.err &
	eval "consumer_$1=$!"
	bpftrace_pids="$bpftrace_pids $!"
}
# stopped PID: ends a consumer, which then prints its maps. bpftrace 0.17 forgets a signal that comes while it is not waiting
# for events, so it gets another one if it still waits for them seconds later.
stopped() {
	kill -INT "$1"
	stop_try=0
	while kill -0 "$1" 2>/dev/null && ! grep -q '^State:.*zombie' "/proc/$1/status" 2>/dev/null; do
		sleep 0.1
		stop_try=$((stop_try + 1))
		[ $((stop_try % 50)) != 0 ] || ! grep -q epoll "/proc/$1/wchan" || kill -INT "$1"
	done
	wait "$1"
}

send='[<<"message-send">>]' queued='[<<"message-queued">>]' both='[<<"message-send">>, <<"message-queued">>]'
echo "no consumer: $(flags)"
consumer 1 'SITE:message__send { @sent[str(arg1)] = count(); @words[str(arg1)] = sum(arg2); }'
wait_flags '[send]' "$send"
node_eval '[sink ! {order, N} || N <- lists:seq(1, 3000)], sink ! {self(), stop}, receive ok -> ok end.'
stopped $consumer_1
grep -F '[sink]' bpf.1
node_eval 'R = spawn(fun Loop() -> receive _ -> Loop() end end), register(sink, R), ok.'
wait_flags '[]' '[]'
echo "it has ended: $(flags)"

# Two, of which one is killed.
consumer 2 'SITE:message__send { @ = count(); }'
wait_flags '[send]' "$send"
consumer 3 'SITE:message__queued { @[str(arg0)] = count(); }'
wait_flags "['receive', send]" "$both"
kill -9 $consumer_2
wait $consumer_2 2>/dev/null
wait_flags "['receive']" "$queued"
sink=$(node_eval 'pid_to_list(whereis(sink)).' | tr -d '"')
node_eval '[sink ! N || N <- lists:seq(1, 500)],
	(fun Wait(N) -> case process_info(whereis(sink), message_queue_len) of
	    {_, L} when L > 0, N > 0 -> timer:sleep(20), Wait(N - 1);
	    Length -> Length
	end end)(3000).'
stopped $consumer_3
grep -F "$sink" bpf.3 | sed "s/$sink/sink/"
wait_flags '[]' '[]'
echo "both have ended: $(flags)"

# erltrace ends first. Its library goes, though there are breakpoints in it; the consumer finds no events any more, and ends.
consumer 4 'SITE:message__send { @sent[str(arg1)] = count(); }'
wait_flags '[send]' "$send"
node_eval '[sink ! N || N <- lists:seq(1, 200)], ok.'
kill -TERM $TRACE_PID
wait $TRACE_PID
echo "erltrace has ended: $(flags) $(clean_node)"
node_eval '[sink ! N || N <- lists:seq(1, 100)], ok.'
stopped $consumer_4
grep -F '[sink]' bpf.4

# The same with a library that lies in a file (of this test alone: a consumer is about all processes that have it), and erltrace comes back while the consumer waits: the kernel raises the
# semaphore of the new mapping. That erltrace is killed, and so is the consumer.
cp -r "$BUILD/otp/erltrace" app
export ERLTRACE_OTP="$PWD/app"
trace_start out
consumer 5 'SITE:message__send { @sent[str(arg1)] = count(); }'
wait_flags '[send]' "$send"
kill -TERM $TRACE_PID
wait $TRACE_PID
echo "erltrace has ended: $(flags) $(clean_node)"
trace_start out
wait_flags '[send]' "$send"
node_eval '[sink ! N || N <- lists:seq(1, 300)], ok.'
kill -9 $TRACE_PID
wait $TRACE_PID 2>/dev/null
left=$(clean_node)
echo "erltrace was killed: $(flags) $left"
stopped $consumer_5
grep -F '[sink]' bpf.5
trace_start out
consumer 6 'SITE:process__spawn { @ = count(); }'
wait_flags '[procs]' '[<<"process-spawn">>]'
kill -9 $consumer_6
wait $consumer_6 2>/dev/null
wait_flags '[]' '[]'
kill -TERM $TRACE_PID
wait $TRACE_PID
echo "all have ended: $(flags) $(clean_node)"
