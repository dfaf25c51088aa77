# While the modules are removed nobody else begins: the names that hold others back are free only when nothing is left, not
# even old code that is still to be purged. This is so for what the command has sent, and if that was loaded again meanwhile.
# @@timeout: 120
. "$srcdir/lib.sh"
node_start
# to purge takes a while
node_eval '[spawn(fun() -> receive stop -> ok end end) || _ <- lists:seq(1, 100000)], ok.' >/dev/null
for how in sent again; do
	trace_start out
	[ $how = sent ] || node_eval "{ok, Code} = file:read_file(\"$BUILD/otp/erltrace/priv/agent/erltrace_agent.beam\"),
		{module, M} = code:load_binary(erltrace_agent, \"sent-by-erltrace/erltrace_agent.beam\", Code), M."
	node_eval "Self = self(), spawn(fun() ->
	    register(watch, self()),
	    Self ! watching,
	    Held = fun Held() -> case whereis(erltrace_place) of undefined -> receive after 1 -> Held() end; P -> P end end,
	    Ref = monitor(process, Held()),
	    Left = receive {'DOWN', Ref, _, _, _} -> [M || M <- [erltrace_agent, erltrace_tracer], erlang:module_loaded(M) orelse erlang:check_old_code(M)] end,
	    receive {ask, P} -> P ! {left, Left} end
	end), receive watching -> watching end."
	trace_stop
	echo "$how: $(node_eval 'watch ! {ask, self()}, receive {left, Left} -> Left end.')"
	clean_node
done
