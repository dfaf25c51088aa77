# The VM's counters, which scripts that only count calls use on OTP 27 and later, work beside other users of the same
# function: a script with events, cprof, and a script about all functions. However the script ends, nothing is left.
# OTP27 names an erl of OTP 27 if the installed one is older.
# @@timeout: 120
. "$srcdir/lib.sh"
. "$srcdir/counters.sh"
echo "= beside a script with events of the same function, cprof, and with counters=off"
node_eval 'cprof:start(load, call, 1).'
trace_start out -n 'erlang*:load:call/1:entry { @[probefunc] = count(); }'
counting=$TRACE_PID
trace_start other -n 'erlang*:load:call/1:entry { @[args[0]] = count(); @s = sum((int)args[0]); }'
node_eval '[load:call(7) || _ <- lists:seq(1, 100)], ok.'
trace_stop
sort other.txt
trace_start other -x counters=off -n 'erlang*:load:call/1:entry { @ = count(); }'
node_eval '[load:call(7) || _ <- lists:seq(1, 100)], ok.'
trace_stop
cat other.txt
trace_out=out TRACE_PID=$counting
trace_stop
cat out.txt
node_eval 'cprof:pause(), {_, _, [{{load, call, 1}, N}]} = cprof:analyse(load), cprof:stop(), {cprof, N}.'

echo "= all functions"
trace_start out -x maxoverhead=0 -n 'erlang*:*:*:entry { @[probemod] = count(); }'
is_way $way
node_eval '[load:up(I) || I <- lists:seq(1, 1000)], ok.'
trace_stop 2>/dev/null
grep '^load ' out.txt
echo "after: $(clean_node)"

echo "= the guard sees counted calls, too"
node_eval 'register(calls, spawn(load, calls, [1 bsl 59])), ok.'
trace -q -x maxoverhead=1 -n 'erlang*:load:up/1:entry { @ = count(); } tick-90s { exit(9); }' >out 2>err
echo "status $?: $(grep -o 'What cost most: erlang[0-9]*:load:up/1:entry' err | sed 's/erlang[0-9]*/erlang/')"
node_eval 'exit(whereis(calls), kill).'
echo "after: $(clean_node)"

echo "= the command is killed, and the hub"
trace_start out -n 'erlang*:load:*:entry { @[probefunc] = count(); }'
kill -9 $TRACE_PID
wait $TRACE_PID 2>/dev/null
echo "after: $(clean_node)"
trace_start out -n 'erlang*:load:*:entry { @[probefunc] = count(); }'
node_eval 'exit(whereis(erltrace_hub), kill).'
trace_stop 2>/dev/null
echo "after: $(clean_node)"
