# The tracer's module is deleted and purged while a script runs: the script ends with its owner, and the module can be
# loaded again. Requests about a script in a wrong order are refused.
# @@timeout: 60
. "$srcdir/lib.sh"
. "$srcdir/fuzz.sh"
fuzz_node -pa "$BUILD/otp/erltrace/ebin"
fuzz_compile
node_eval "
	{ok, Object} = file:read_file(\"fuzz3.dobj\"),
	Run = fun() ->
	    ok = erltrace_tracer:load(\"$LIBRARY\"),
	    {ok, H} = erltrace_tracer:open(Object, fuzz_objects:conf_good(), self()),
	    {ok, 0} = erltrace_tracer:bind(H, 10, {<<\"profile\">>, <<>>, <<>>, <<\"tick-1000\">>}, 0),
	    {ok, 1} = erltrace_tracer:bind(H, 11, {<<\"erlang\">>, <<>>, <<>>, <<\"message-send\">>}, 0),
	    ok = erltrace_tracer:subscribe(H, 1, <<\"message-send\">>),
	    ok = erltrace_tracer:start(H),
	    ok = erltrace_tracer:go(H),
	    ok = erltrace_tracer:timers(H),
	    receive stop -> H end
	end,
	lists:foreach(fun(_) ->
	    {Owner, Ref} = spawn_monitor(Run),
	    timer:sleep(300),
	    code:delete(erltrace_tracer), code:purge(erltrace_tracer),
	    timer:sleep(300),
	    exit(Owner, kill), receive {'DOWN', Ref, _, _, _} -> ok end,
	    timer:sleep(300)
	end, lists:seq(1, 5)),
	Load = fun Load(0) -> erltrace_tracer:load(\"$LIBRARY\");
	           Load(N) -> case erltrace_tracer:load(\"$LIBRARY\") of ok -> ok; _ -> timer:sleep(20), Load(N - 1) end end,
	ok = Load(500),
	erltrace_tracer:state()."
node_eval "
	{ok, Object} = file:read_file(\"fuzz3.dobj\"),
	{ok, H} = erltrace_tracer:open(Object, fuzz_objects:conf_good(), self()),
	{ok, 0} = erltrace_tracer:bind(H, 10, {<<\"profile\">>, <<>>, <<>>, <<\"tick-1000\">>}, 0),
	ok = erltrace_tracer:start(H), {error, Early} = erltrace_tracer:timers(H), ok = erltrace_tracer:go(H),
	{error, Twice} = erltrace_tracer:go(H),
	ok = erltrace_tracer:timers(H), {error, Early} = erltrace_tracer:timers(H),
	ok = erltrace_tracer:stop(H), ok = erltrace_tracer:close(H),
	{ok, H2} = erltrace_tracer:open(Object, fuzz_objects:conf_good(), self()),
	ok = erltrace_tracer:stop(H2),
	{error, Late} = erltrace_tracer:subscribe(H2, 0, <<\"message-send\">>),
	ok = erltrace_tracer:close(H2),
	{error, Large} = erltrace_tracer:open(Object, (fuzz_objects:conf_good())#{bufsize := 1 bsl 32 - 1}, self()),
	{error, Id} = (fun() -> {ok, H3} = erltrace_tracer:open(Object, fuzz_objects:conf_good(), self()),
	    R = erltrace_tracer:bind(H3, 1 bsl 31, {<<\"erlang\">>, <<>>, <<>>, <<\"message-send\">>}, 0), erltrace_tracer:close(H3), R end)(),
	[binary_to_list(X) || X <- [Early, Twice, Late, hd(binary:split(Large, <<\":\">>)), Id]]." | sed -e 's/need [0-9]* MiB/need N MiB/; s/([0-9]* MiB)/(N MiB)/; s/free o[a-z'"'"' ]* (/free (/'
fuzz_end
