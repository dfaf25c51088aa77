# Memory runs out inside the VM: every allocation of the library fails in turn while it is loaded and a script is
# opened, bound, subscribed, started, read, stopped and closed (about twenty allocations, because the memory of the
# engine is one block). Each time there is an error or everything works, nothing is left, and the node survives.
# @@timeout: 120
. "$srcdir/lib.sh"
. "$srcdir/fuzz.sh"
# not those of sources that are gone
(cd "$BUILD/nif" && find . -name '*.o') | while read -r o; do
	[ -f "$srcdir/../../${o%.o}.c" ] && echo "$BUILD/nif/$o"
done >objects
echo "$BUILD/nif/sites.o" >>objects
${CC:-gcc} -std=c11 -O1 -g -fPIC -D_GNU_SOURCE -shared -Wl,-Bsymbolic -Wl,--gc-sections \
	-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,--wrap=strdup,--wrap=mmap,--wrap=memfd_create \
	-o oom_tracer.so "$srcdir/../oom/nif_alloc.c" $(cat objects) -pthread -lm || exit 1
head -c 16 /dev/zero >control
ERLTRACE_OOM=$PWD/control
export ERLTRACE_OOM
fuzz_node -pa "$BUILD/otp/erltrace/ebin"
fuzz_compile
node_eval "
	{ok, Object} = file:read_file(\"fuzz4.dobj\"),
	{ok, Control} = file:open(\"control\", [read, write, raw, binary]),
	Names = fun(P, M, F, N) -> {P, M, F, N} end,
	%% a script whose owner has just died goes a moment later, and with it the library that was there before
	Load = fun Load(0) -> erltrace_tracer:load(\"$PWD/oom_tracer\");
	           Load(N) -> case erltrace_tracer:load(\"$PWD/oom_tracer\") of ok -> ok; _ -> timer:sleep(20), Load(N - 1) end end,
	Once = fun() ->
	    ok = erltrace_tracer:load(\"$PWD/oom_tracer\"),
	    {ok, H} = erltrace_tracer:open(Object, fuzz_objects:conf_good(), self()),
	    {ok, 0} = erltrace_tracer:bind(H, 10, Names(<<\"profile\">>, <<>>, <<>>, <<\"tick-77\">>), 3),
	    {ok, 1} = erltrace_tracer:bind(H, 11, Names(<<\"erlang\">>, <<>>, <<>>, <<\"message-send\">>), 0),
	    {ok, 2} = erltrace_tracer:bind(H, 12, Names(<<\"erlang\">>, <<\"lists\">>, <<\"map/2\">>, <<\"entry\">>), 1),
	    ok = erltrace_tracer:subscribe(H, 1, <<\"message-send\">>),
	    ok = erltrace_tracer:subscribe(H, 1, <<\"user_trace-n5\">>),
	    ok = erltrace_tracer:subscribe(H, 2, {0, lists, map, 2, 0}),
	    ok = erltrace_tracer:start(H),
	    ok = erltrace_tracer:go(H),
	    ok = erltrace_tracer:timers(H),
	    ok = erltrace_tracer:fire(H, 0),
	    true = erltrace_tracer:user_trace_n(5, t, 1, 2, 3, 4, a, b, c, d),
	    <<_/binary>> = erltrace_tracer:drain(H),
	    <<_/binary>> = erltrace_tracer:snap(H),
	    ok = erltrace_tracer:stop(H),
	    ok = erltrace_tracer:close(H)
	end,
	Round = fun(K) ->
	    code:delete(erltrace_tracer), code:purge(erltrace_tracer), {module, _} = code:load_file(erltrace_tracer),
	    ok = file:pwrite(Control, 0, <<K:64/little, 0:64/little>>),
	    {P, Ref} = spawn_monitor(fun() -> exit(try Once() catch error:{badmatch, Why} -> {said, Why} end) end),
	    Result = receive {'DOWN', Ref, _, P, R} -> R end,
	    {ok, <<_:64, Used:64/little>>} = file:pread(Control, 0, 16),
	    ok = file:pwrite(Control, 0, <<0:128>>),
	    ok = Load(500),
	    Wait = fun Wait(0) -> erltrace_tracer:state(); Wait(N) -> case erltrace_tracer:state() of {0, 0, 0, 0, 0} -> clean; _ -> timer:sleep(20), Wait(N - 1) end end,
	    {Result, Wait(1500), Used}
	end,
	%% the library of the round before goes with the last of its handles: where it is still there, it has its tables and allocates less
	Failing = fun Failing(K, Said, Again) ->
	    case Round(K) of
	        {{said, {error, _}}, clean, _} -> Failing(K + 1, Said + 1, Again);
	        {{said, closed}, clean, _} -> Failing(K + 1, Said + 1, Again);
	        {ok, clean, Used} when Used < K, K =< 15, Again > 0 -> timer:sleep(50), Failing(K, Said, Again - 1);
	        {ok, clean, Used} when Used < K -> {all, K > 15, Said > 15};
	        {ok, clean, _} -> Failing(K + 1, Said, Again);
	        Other -> {K, Other}
	    end
	end,
	Failing(1, 0, 100)."
