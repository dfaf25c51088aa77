# If nearly all functions of a node are counted, the counters are set at once, and not module by module, which takes
# seconds on a busy node: also if modules have been loaded since the script began, which are not counted. They are set
# each time that -x countpart begins to count again. OTP27 names an erl of OTP 27 if the installed one is older.
. "$srcdir/lib.sh"
. "$srcdir/counters_alone.sh"
erlc -o . "$srcdir/load.erl" || exit 1
# Counts all functions that are loaded, but for some; meanwhile others may be loaded. Says how often the VM was asked to
# set or remove counters, and for some functions whether they are counted.
node_eval "$ALONE"'
	Count = fun(But, Then) ->
	    code:purge(load), code:delete(load), code:purge(load),
	    All = Functions(But),
	    Paused = erltrace_counters:pause(erltrace_counters:start(All)),
	    Then(),
	    {Resumed, N} = Times({trace, function, 4}, fun() -> erltrace_counters:resume(Paused) end),
	    Modules = length(lists:usort([M || {{M, _, _}, _} <- All])),
	    Are = [IsCounted(MFA) || MFA <- [{queue, new, 0}, {array, new, 0}, {array, size, 1}, {load, call, 1}]],
	    erltrace_counters:stop(Resumed),
	    {if N < 5 -> few; N >= Modules -> "as many as modules, or more"; true -> N end, Are}
	end,
	Nothing = fun() -> ok end, Load = fun() -> {module, load} = code:load_abs("'"$PWD"'/load") end,
	[Count([], Nothing), Count([{array, new, 0}], Nothing), Count([array], Load), Count([], Load), Count(erlang:loaded() -- [queue, array], Load)].' | sed 's/}, {/},\n{/g'
