# -c starts a node and traces it from its first expression until it ends; -p finds the node of a process, by its command line or
# through epmd. $target and the process id name its provider.
# @@timeout: 60
. "$srcdir/lib.sh"
HOME=$PWD
export HOME
EXPR='[spawn(lists, seq, [1, 3]) || _ <- [1, 2, 3]], timer:sleep(1500), halt(3).'
"$ERLTRACE" -n 'erlang$target:::process-spawn /copyinstr(arg1) == "lists:seq/2"/ { @[copyinstr(arg1)] = count(); }' -x quiet -x aggrate=50ms \
	-c "erl -noshell -eval '$EXPR'" >out 2>err
echo "status $?"
sed -e 's/  */ /g' out | grep seq
sed -e 's/pid [0-9]*/pid N/' err

# a program that does not compile: the node never begins
"$ERLTRACE" -n 'erlang*:::process-spawn { nonsense }' -c "erl -noshell -eval 'file:write_file(\"begun\", []), halt().'" >/dev/null 2>&1
echo "status $?"
[ -e begun ] && echo begun

node_start
"$ERLTRACE" -q -p $NODE_PID -n "erlang$NODE_PID:::process-spawn { exit(0); } tick-3s { exit(9); }" >out 2>err &
pid=$!
sleep 1
node_eval 'spawn(lists, seq, [1, 2]), ok.'
wait $pid
echo "by command line: status $?"
cat err

: >late.log
erl -noinput -eval '{ok, _} = net_kernel:start([list_to_atom("late_" ++ os:getpid()), shortnames]), io:format("up~n"), timer:sleep(20000), halt().' >late.log 2>&1 &
NODES="$NODES $!"
late=$!
i=0
until grep -q up late.log || [ $i -gt 100 ]; do sleep 0.1; i=$((i + 1)); done
timeout 20 "$ERLTRACE" -q -p $late -n 'erlang*:::process-scheduled { exit(0); } tick-5s { exit(9); }' >out 2>err
echo "through epmd: status $?"
cat err
