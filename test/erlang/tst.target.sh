# -c starts a node and traces it from its first expression until it ends. -p finds the node of a process, by its command
# line or through epmd. $target and the process id name its provider.
# @@timeout: 120
. "$srcdir/lib.sh"
HOME=$PWD
export HOME
EXPR='[spawn(lists, seq, [1, 3]) || _ <- [1, 2, 3]], timer:sleep(1500), halt(3).'
"$ERLTRACE" -n 'erlang$target:::process-spawn /copyinstr(arg1) == "lists:seq/2"/ { @[copyinstr(arg1)] = count(); }' -x quiet -x aggrate=50ms \
	-c "erl -noshell -eval '$EXPR'" >out 2>err
echo "status $?"
sed -e 's/  */ /g' out | grep seq
sed -e 's/pid [0-9]*/pid N/' err

# END runs though the node has ended before it: what was collected until then is printed
"$ERLTRACE" -q -x aggrate=50ms -n 'erlang*:::process-spawn /copyinstr(arg1) == "lists:seq/2"/ { @[copyinstr(arg1)] = count(); } END { printf("the end\n"); printa("%s %@d\n", @); trunc(@); @z["END"] = count(); }' \
	-c "erl -noshell -eval '$EXPR'" 2>/dev/null | sed -e 's/  */ /g' -e '/^ *$/d'

# a program that does not compile: the node never begins
"$ERLTRACE" -n 'erlang*:::process-spawn { nonsense }' -c "erl -noshell -eval 'file:write_file(\"begun\", []), halt().'" >/dev/null 2>&1
echo "status $?"
[ -e begun ] && echo begun

node_start
"$ERLTRACE" -q -x switchrate=50ms -p $NODE_PID -n "BEGIN { printf(\"tracing\n\"); } erlang$NODE_PID:::process-spawn { exit(0); } tick-30s { exit(9); }" >out 2>err &
pid=$!
i=0
until grep -q tracing out || [ $i -gt 1200 ]; do sleep 0.1; i=$((i + 1)); done
node_eval 'spawn(lists, seq, [1, 2]), ok.'
wait $pid
echo "by command line: status $?"
cat err

: >late.log
erl -noinput -eval '{ok, _} = net_kernel:start([list_to_atom("late_" ++ os:getpid()), shortnames]), io:format("up~n"), timer:sleep(infinity), halt().' >late.log 2>&1 &
NODES="$NODES $!"
late=$!
i=0
until grep -q up late.log || [ $i -gt 1200 ]; do sleep 0.1; i=$((i + 1)); done
timeout 60 "$ERLTRACE" -q -p $late -n 'erlang*:::process-scheduled { exit(0); } tick-30s { exit(9); }' >out 2>err
echo "through epmd: status $?"
cat err
