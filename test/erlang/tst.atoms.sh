# A script makes no atom in the node, whatever names it has, and many attaches leave a handful: the names of the command are used again.
# @@timeout: 240
. "$srcdir/lib.sh"
node_start
# names of commands that the node has heard, also of those that it refused because one of that name was just leaving
names='length([K || K <- lists:seq(1, 1100), try list_to_existing_atom("erltrace_" ++ integer_to_list(K) ++ "@" ++ lists:last(string:split(atom_to_list(node()), "@"))) of _ -> true catch _:_ -> false end])'
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
# what the first one loads stays
node_eval "persistent_term:put(atoms, {erlang:system_info(atom_count), $names}), ok."
script 2000
script 3000
# but the names of commands: as many as there are at once on this machine, whatever nodes they go to
node_eval "{Before, Known} = persistent_term:get(atoms), New = $names - Known, {script, erlang:system_info(atom_count) - Before - New < 4}."
i=0
while [ $i -lt "$ATTACHES" ]; do
	trace -q -n 'BEGIN { exit(0); }' >/dev/null || echo "attach $i failed"
	i=$((i + 1))
done
node_eval "{Before, Known} = persistent_term:get(atoms), New = $names - Known, {attaches, erlang:system_info(atom_count) - Before - New < 8, New < 30}."
echo "after: $(clean_node)"
