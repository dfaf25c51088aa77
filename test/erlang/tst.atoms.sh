# A script creates no atom in the node, whatever names it uses. Attaching many times creates only a few, because the
# names of the command are used again; and nothing else grows: known nodes, memory, ports, processes, descriptors, threads.
# ATTACHES=10000 makes the test longer.
# @@timeout: 240
. "$srcdir/lib.sh"
node_start +zdntgc 1 # otherwise the VM keeps what it knew of a node that is gone for a minute
# The atoms that were made since the count in `atoms`, without names of commands: {how many such names, the others}.
# Names that the node has heard are all there, also of commands that it refused because one of that name was just leaving.
new='(fun() ->
	Made = [atom_to_list(binary_to_term(<<131, 75, I:24>>)) || I <- lists:seq(persistent_term:get(atoms), erlang:system_info(atom_count) - 1)],
	{Names, Others} = lists:partition(fun(A) -> re:run(A, "^erltrace_[0-9]+@") =/= nomatch end, Made),
	{length(Names), Others}
end)()'
ATTACHES=${ATTACHES:-60}
script() { # FROM: 200 predicates and 50 probes with names that nobody has
	awk -v from="$1" 'BEGIN {
		for (i = from; i < from + 200; i++)
			printf("erlang*:::function-entry /copyinstr(arg1) == \"no_module_%d:no_function_%d/1\"/ { @ = count(); }\n", i, i)
		for (i = from; i < from + 50; i++)
			printf("erlang*:not_there_%d:nor_this_%d/2:entry { @ = count(); }\n", i, i)
		print "erlang*:::function-entry /copyinstr(arg1) == \"'"'Elixir.No Such':'x y'"'/0\"/ { @ = count(); }"
		print "tick-10ms { exit(0); }"
	}' >script.d
	trace -q -Z -s script.d
}
script 1000
# What the first one loads stays, and what the question itself loads. On a busy machine OTP loads more of its own:
# timer (rpc) and io_lib_pretty (~p).
node_eval "[code:ensure_loaded(M) || M <- [timer, io_lib_pretty]], persistent_term:put(atoms, 0), $new, persistent_term:put(atoms, erlang:system_info(atom_count)), ok."
script 2000
script 3000
# but the names of commands: as many as there are at once on this machine, whatever nodes they go to
node_eval "{_, Others} = $new, {script, length(Others) < 4 orelse Others}."
seen='(fun() ->
	[erlang:garbage_collect(P) || P <- processes()],
	[length(nodes(known)), erlang:memory(total) bsr 10, erlang:system_info(port_count), erlang:system_info(process_count), length(ets:all())]
end)()'
files() {
	echo "$(ls "/proc/$NODE_PID/fd" | wc -l) $(ls "/proc/$NODE_PID/task" | wc -l) $(awk '/^VmRSS/ { print $2 }' "/proc/$NODE_PID/status")"
}
clean_node >/dev/null
node_eval "$seen." >/dev/null # what the question itself makes
node_eval "persistent_term:put(atoms, erlang:system_info(atom_count)), persistent_term:put(seen, $seen), ok."
before=$(files)
i=0
while [ $i -lt "$ATTACHES" ]; do
	trace -q -n 'BEGIN { exit(0); }' >/dev/null || echo "attach $i failed"
	i=$((i + 1))
done
node_eval "{Names, Others} = $new, {attaches, length(Others) < 8 orelse Others, Names < 30}."
echo "after: $(clean_node)"
# More than before: by how much. The last question's own connection may be there for a moment.
node_eval "Before = persistent_term:get(seen),
	Grown = fun() -> [{What, N1 - N0} || {{What, Most}, {N0, N1}} <- lists:zip([{known, 30}, {kilobytes, 1024}, {ports, 0}, {processes, 0}, {tables, 0}], lists:zip(Before, $seen)), N1 - N0 > Most] end,
	Wait = fun Wait(0) -> Grown(); Wait(N) -> case Grown() of [] -> nothing; _ -> timer:sleep(100), Wait(N - 1) end end,
	{grown, Wait(100)}."
echo "$before $(files)" | awk '{ print $4 <= $1 + 1 && $5 <= $2 && $6 < $3 + 8192 ? "the process: as before" : "the process: " $0 }'
