# When code is loaded while very many functions are counted, the VM is asked for the counter of one function of each other
# module, and not of all functions. Code that is replaced gets its counters again, also if the first of its functions has
# gone or comes back. OTP27 names an erl of OTP 27 if the installed one is older.
. "$srcdir/lib.sh"
. "$srcdir/changing.sh"
. "$srcdir/counters_alone.sh"
node_eval "$ALONE $CHANGING"'
	Three = [{changing, F, 0} || F <- [a, b, c]],
	Load([a, b, c]),
	All = Functions([]),
	Modules = length(lists:usort([M || {{M, _, _}, _} <- All])),
	Again = fun(Names, Before) ->
	    Load(Names),
	    {Now, N} = Times({trace, info, 3}, fun() -> erltrace_counters:again(undefined, Before) end),
	    Say("~p ~p~n", [[F || {_, F, _} = MFA <- Three, IsCounted(MFA)], if N < Modules + 20 -> few; true -> {N, Modules, length(All)} end]),
	    {Counts, Now1} = begin [apply(M, F, []) || {M, F, _} <- Three, lists:member(F, Names)], erltrace_counters:read(changing, Now) end,
	    Say("~p~n", [[{F, N1} || {_, {changing, F, 0}, N1} <- lists:sort(Counts)]]),
	    Now1
	end,
	erltrace_counters:stop(lists:foldl(Again, erltrace_counters:start(All), [[a, b, c], [b, c], [b, c], [a, b, c]])).'
cat said
