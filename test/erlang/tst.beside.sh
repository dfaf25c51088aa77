# A script misses nothing while another comes and goes, whatever they are about: one process, all of them, one function,
# all functions of a module, with arguments or returns. It counts what was really done, to the last event.
# @@timeout: 180
. "$srcdir/lib.sh"
cat >beside.erl <<'END'
-module(beside).
-export([start/0, stop/0, one/1]).
start() ->
    Idle = [spawn(fun() -> receive stop -> ok end end) || _ <- lists:seq(1, 5000)],
    pid_to_list(spawn(fun() -> register(beside, self()), receive {go, From} -> From ! {sent, loop(0)} end, [P ! stop || P <- Idle] end)).
loop(N) ->
    receive stop -> N after 0 -> self() ! x, receive x -> ok end, ?MODULE:one(N), erlang:yield(), loop(N + 1) end.
one(_) -> ok.
%% How often, since it was told to go.
stop() ->
    beside ! stop,
    beside_collect ! {ask, self()},
    receive {all, N} -> N end.
END
erlc beside.erl || exit 1
node_start -pa .

# misses NAME SCRIPT OTHER: the pid of the process is PID in both
misses() {
	pid=$(node_eval 'beside:start().' | tr -d '" ')
	first=$(echo "$2" | sed "s/PID/$pid/g")
	other=$(echo "$3" | sed "s/PID/$pid/g")
	trace_start out -x maxoverhead=0 -n "$first"
	node_eval 'Me = self(), spawn(fun() -> register(beside_collect, self()), beside ! {go, self()}, Me ! on, receive {sent, N} -> receive {ask, P} -> P ! {all, N} end end end), receive on -> ok end.' >/dev/null
	for i in 1 2 3; do
		trace -q -x maxoverhead=0 -n "$other" -n 'tick-100ms { exit(0); } END { trunc(@); }' >/dev/null 2>other.err || cat other.err
	done
	done=$(node_eval 'beside:stop().')
	trace_stop 2>/dev/null
	seen=$(tail -1 out.txt)
	[ "$seen" = "$done" ] && [ "$done" -gt 100 ] && echo "$1: nothing missed" || echo "$1: $seen seen of $done"
}
sends='erlang*:::message-send /copyinstr(arg0) == "PID" && copyinstr(arg1) == "PID"/ { @ = count(); }'
all='erlang*:::message-send { @ = count(); }'
misses 'one process, beside all' "$sends" "$all"
misses 'all, beside one process' 'erlang*:::message-send /strjoin(copyinstr(arg0), copyinstr(arg1)) == "PIDPID"/ { @ = count(); }' 'erlang*:::process-exit /copyinstr(arg0) == "PID"/ { @ = count(); }'
misses 'one process, beside another' "$sends" 'erlang*:::message-send /copyinstr(arg0) == "<0.1.0>"/ { @ = count(); }'
one='erlang*:beside:one/1:entry { @ = count(); }'
misses 'a function, beside its module' "$one" 'erlang*:beside::entry { @ = count(); }'
misses 'a function, beside its arguments and returns' "$one" 'erlang*:beside:one/1:entry { @ = sum((int64_t)args[0]); } erlang*:beside:one/1:return { @b = count(); }'
misses 'returns, beside all functions' 'erlang*:beside:one/1:return { @ = count(); }' 'erlang*:::function-entry { @ = count(); }'
misses 'a function, beside all functions' "$one" 'erlang*:::function-entry { @ = count(); }'
echo "after: $(clean_node)"
