# Predicates on the mfa string set breakpoints on those functions only, and predicates on the pid string set flags on
# that process only. -v says what was narrowed.
# @@timeout: 60
. "$srcdir/lib.sh"
erlc -o . "$srcdir/load.erl" || exit 1
node_start
PATTERNS=$INFO'lists:sort([{M, F, A} || M <- [lists, load, maps, timer], {F, A} <- M:module_info(functions), Info({M, F, A}, traced) =/= {traced, false}]).'
FLAGS=$INFO'[length(case Info(P, flags) of {flags, []} -> []; _ -> [P] end) || P <- [whereis(init), whereis(one)]] ++ [end_of_list].'

trace_start out -n 'erlang*:::global-function-entry /copyinstr(arg1) == "lists:sum/1" || copyinstr(arg1) == "load:up/1"/ { @[copyinstr(arg1)] = count(); }
	erlang*:::function-return /copyinstr(arg1) == "load:call/1" && arg2 > 0/ { @["returned"] = count(); }'
echo "functions: $(node_eval "$PATTERNS")"
node_eval '[load:up(lists:sum([I])) || I <- lists:seq(1, 10)], [load:call(1) || _ <- [1, 2, 3]], ok.'
trace_stop
sort out.txt

node_eval 'register(one, spawn(fun S() -> receive {go, P} -> lists:sum([1]), P ! done, S() end end)), pid_to_list(whereis(one)).' >pid
PID=$(tr -d '"' <pid)
trace_start out -n "erlang*:::message-send /copyinstr(arg0) == \"$PID\"/ { @[\"sent\"] = count(); }
	erlang*:::message-queued /copyinstr(arg0) == \"$PID\"/ { @[\"queued\"] = count(); }"
echo "init, one: $(node_eval "$FLAGS")"
node_eval '[begin one ! {go, self()}, receive done -> ok end end || _ <- lists:seq(1, 7)], ok.'
trace_stop
sort out.txt

trace_start out -n "erlang*:::message-send /copyinstr(arg0) == \"$PID\"/ { @[\"sent\"] = count(); } erlang*:::process-spawn { @s = count(); }"
echo "init, one: $(node_eval "$FLAGS")"
trace_stop
echo "after: $(clean_node)"
"$ERLTRACE" -e -v -n 'BEGIN /copyinstr(arg1) == "a:b/1"/ { trace(1); }' | grep narrowed
