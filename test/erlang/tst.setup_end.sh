# A script that ends while tracing is still being switched on, process by process, does not wait for the rest: when the
# command is interrupted, when it is killed, and when the script calls exit(). The application's environment makes each
# pause of the hub so long that the whole would take six minutes.
# @@timeout: 300
. "$srcdir/lib.sh"
cat >se.erl <<'END'
-module(se).
-export([start/0, ping/0, idle/0]).
start() ->
    application:load({application, erltrace, [{env, [{rests, 60000}]}]}),
    register(se_ping, spawn(fun ping/0)),
    [spawn(fun idle/0) || _ <- lists:seq(1, 20000)],
    ok.
ping() -> self() ! ping, receive ping -> timer:sleep(20) end, ping().
idle() -> receive stop -> ok end.
END
erlc se.erl || exit 1
node_start -pa . -s se

# Waits until the first process has its flags (on a busy machine few have before the first pause); the last ones have none.
begun() {
	i=0
	until [ "$(node_eval "$INFO"' {flags, F} = Info(whereis(init), flags), F =/= [].')" = true ] || [ $i -ge 300 ]; do
		i=$((i + 1))
		sleep 0.1
	done
	node_eval "$INFO"' {flags, F} = Info(lists:last([P || P <- processes(), {current_function, {se, idle, 0}} <- [process_info(P, current_function)]]), flags), {last, F}.'
}
for signal in INT KILL; do
	env --default-signal "$ERLTRACE" -N "$NODE" --cookie "$COOKIE" -q -n 'erlang*:::message-send { @ = count(); }' >out 2>err &
	pid=$!
	begun
	kill -$signal $pid
	wait $pid 2>/dev/null
	echo "$signal: $(clean_node)"
done
from=$(date +%s)
trace -q -n 'erlang*:::message-send { exit(3); } END { printf("end"); }'
echo ": $?, $(clean_node)"
[ $(($(date +%s) - from)) -lt 60 ] || echo "exit() had to wait"
# and the next one has all processes
node_eval 'application:unset_env(erltrace, rests).'
trace -q -n 'erlang*:::message-send /copyinstr(arg0) == eproc/ { exit(0); }' && clean_node
! grep 'can only have one tracer' "$NODE.log" # the VM says so if somebody asks it to trace erltrace's own processes
