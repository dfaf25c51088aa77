# When code is loaded while very many functions are traced, the VM is asked for the pattern of one function of each other
# module, and not of all functions. Code that is replaced gets its patterns again: also if that happens while they are being
# set, and except those that another tool has set on the new code.
. "$srcdir/lib.sh"
. "$srcdir/changing.sh"
mkdir ebin && for m in patterns session levels; do cp "$BUILD/otp/erltrace/ebin/erltrace_$m.beam" ebin || exit 1; done
node_start -pa "$PWD/ebin"
node_eval '[{module, _} = code:ensure_loaded(M) || M <- [erltrace_patterns, erltrace_session, erltrace_levels, queue]], ok.'
node_eval "$CHANGING"'
	HasSessions = erlang:system_info(otp_release) >= "27",
	Session = case HasSessions of true -> {own, apply(trace, session_create, [patterns, self(), []])}; false -> shared end,
	Traced = fun() -> [F || F <- [a, b, c], erltrace_session:is_traced(Session, {changing, F, 0})] end,
	% how often the VM was asked
	Times = fun(Do) ->
	    Watched = case HasSessions of true -> {trace, info, 3}; false -> {erlang, trace_info, 2} end,
	    Watch = case HasSessions of true -> erltrace_session:new_counters(); false -> shared end,
	    Count = fun(On) -> case HasSessions of true -> erltrace_session:count(Watch, Watched, On); false -> erlang:trace_pattern(Watched, On, [call_count]) end end,
	    1 = Count(true),
	    Result = Do(),
	    N = case HasSessions of true -> erltrace_session:counted(Watch, Watched); false -> element(2, erlang:trace_info(Watched, call_count)) end,
	    Count(false),
	    erltrace_session:destroy(Watch),
	    {Result, N}
	end,
	Load([a, b, c]),
	All = [{{M, F, A}, []} || M <- [changing, queue, string, file, filename, supervisor, gen_server, code_server, application_controller, inet_db],
	                          {F, A} <- erlang:get_module_info(M, functions)],
	Foreign = fun(F) -> 1 = erltrace_session:function(Session, {changing, F, 0}, [{[], [], [{message, other}]}]) end,
	Again = fun(Between, Before) ->
	    Between(),
	    {Now, N} = Times(fun() -> erltrace_patterns:again(undefined, Before) end),
	    Say("~p ~p~n", [Traced(), if N < 40 -> few; N > length(All) -> "all functions"; true -> N end]),
	    Now
	end,
	{Start, _} = erltrace_patterns:update([], All, erltrace_patterns:new(Session)),
	% once, because code may have been replaced while they were set
	First = Again(fun() -> 1 = erltrace_session:function(Session, {changing, b, 0}, false) end, Start),
	Last = lists:foldl(Again, First, [fun() -> ok end, fun() -> Load([a, b, c]) end, fun() -> Load([b, c]) end, fun() -> Load([a, b, c]), Foreign(b) end]),
	case HasSessions of
	    true -> ok;
	    false -> {match_spec, [{[], [], [{message, other}]}]} = erlang:trace_info({changing, b, 0}, match_spec)
	end,
	% so it is in the module that was new the last time
	Again(fun() -> 1 = erltrace_session:function(Session, {changing, c, 0}, false) end, Last),
	erltrace_patterns:update([], [], Last),
	Say("~p~n", [Traced() -- [b || not HasSessions]]).'
cat said
