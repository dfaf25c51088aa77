# The more functions a script names, the longer the node may take to switch tracing on: the command waits for more than the
# usual 30 s. Here the hub stands still for 33.
# @@timeout: 180
. "$srcdir/lib.sh"
node_start
node_eval 'application:load(compiler), {ok, Modules} = application:get_key(compiler, modules), [code:ensure_loaded(M) || M <- Modules],
	lists:sum([length(erlang:get_module_info(M, functions)) || M <- erlang:loaded()]) > 10000.'
: >err
env --default-signal "$ERLTRACE" -N "$NODE" --cookie "$COOKIE" -q -x maxoverhead=0 \
	-n 'erlang*:*:*:entry { @ = count(); } tick-100ms { exit(0); } END { trunc(@); printf("traced\n"); }' >out 2>err &
pid=$!
until grep -q matches err || ! kill -0 $pid 2>/dev/null; do sleep 0.02; done
node_eval 'Hub = whereis(erltrace_hub), {Pid, Ref} = spawn_monitor(fun() -> true = erlang:suspend_process(Hub), timer:sleep(33000) end),
	receive {_, Ref, _, Pid, Why} -> Why end.'
wait $pid
echo "status $?"
sed '/^$/d' out
grep -v -e matches -e 'never fired' err
clean_node
