# Flow indentation (-F) follows each process by itself and says whose line it is: the calls of two processes interleave,
# a third ends inside a function, and another takes its place; the last leaves a function by an exception. The same from
# a compiled object. Where the program was compiled without the option, all lines are one flow, as the manual says.
# @@timeout: 120
. "$srcdir/lib.sh"
cat >flow.erl <<'ERL'
-module(flow).
-export([run/0, outer/1, middle/1, inner/0, caught/0, thrower/0]).
run() ->
    [A, B, C, D, E] = [start(F) || F <- [fun() -> outer(1) end, fun() -> outer(2) end, fun() -> outer(exit) end,
                                         fun() -> outer(3) end, fun() -> caught() end]],
    [step(P) || P <- [A, B, A, B, A, B, C, C, D, D, D, E]],
    ok.
start(F) ->
    Main = self(),
    {P, _} = spawn_monitor(fun() -> put(main, Main), receive go -> F() end end),
    P.
%% Lets a process go on until it waits or ends.
step(P) ->
    P ! go,
    receive {P, waits} -> ok; {'DOWN', _, process, P, _} -> ok end.
wait() ->
    get(main) ! {self(), waits},
    receive go -> ok end.

outer(What) -> R = middle(What), wait(), [R].
middle(exit) -> wait(), exit(normal);
middle(N) -> wait(), [inner() | N].
inner() -> self().
caught() -> [try thrower() catch throw:_ -> inner() end].
thrower() -> throw(inner()).
ERL
erlc flow.erl || exit 1
node_start

# run [arguments]: prints the header and the lines of the functions: processes in the order in which they came, no CPUs.
run() {
	: >out
	env --default-signal "$ERLTRACE" -N "$NODE" --cookie "$COOKIE" -x switchrate=20ms "$@" >out 2>out.err &
	trace_pid=$!
	until grep -q '^tracing' out; do
		kill -0 $trace_pid 2>/dev/null || break
		sleep 0.05
	done
	node_eval 'flow:run().' >/dev/null
	kill -TERM $trace_pid
	wait $trace_pid
	sed -n -e 's/ *$//' -e '/^CPU/p' -e '/:tick/d' -e '/:BEGIN/d' -e '/[-|]/s/^ *[0-9][0-9]* //p' out |
		awk '/^</ { p = $1; if (!(p in n)) n[p] = "<" ++last ">"; $0 = n[p] substr($0, index($0, " ")) } { print }'
	grep -v -e '^erltrace: .*description' -e '^	erlang' -e ' matched ' out.err
}
tick='tick-20ms { printf("\ntracing\n"); }'
calls='erlang*:flow:outer/1:entry, erlang*:flow:middle/1:entry, erlang*:flow:inner/0:entry, erlang*:flow:caught/0:entry,
	erlang*:flow:thrower/0:entry { }
	erlang*:flow:outer/1:return, erlang*:flow:middle/1:return, erlang*:flow:inner/0:return, erlang*:flow:caught/0:return,
	erlang*:flow:thrower/0:return { }'

echo "-- each process by itself"
run -F -n "$tick" -n "$calls"
echo "-- the option in the script, and two clauses"
run -n '#pragma D option flowindent
	erlang*:flow:caught/0:entry, erlang*:flow:caught/0:return { } erlang*:flow:caught/0:entry, erlang*:flow:caught/0:return { printf("second"); }
	erlang*:flow:outer/1:entry, erlang*:flow:outer/1:return { printf("%s", eproc == copyinstr(arg0) ? "itself" : "another"); }' -n "$tick"
echo "-- a compiled object"
"$ERLTRACE" --compile-only -N "$NODE" --cookie "$COOKIE" -F -o calls.dobj -n "$tick" -n "$calls" || exit 1
run -F calls.dobj >object
run -F -n "$tick" -n "$calls" | cmp - object && echo same
echo "-- set by the script, before the clauses and behind them"
run -n 'BEGIN { setopt("flowindent"); }' -n "$tick" -n "$calls" | sed 1d >set
run -F -n "$tick" -n "$calls" | sed 1d | cmp - set && echo same
run -n "$tick" -n "$calls" -n 'BEGIN { setopt("flowindent"); }' | sed -n 2,7p
echo "after: $(clean_node)"
