# Code is loaded while a script is about all functions: the new code gets the script's patterns, also on a function that
# had another tool's pattern before, and loses them again. What another tool sets on the new code stays.
# @@timeout: 60
. "$srcdir/lib.sh"
erlc -o . "$srcdir/load.erl" || exit 1
node_start
all='erlang*:::function-entry { @ = count(); } END { clear(@); trunc(@); }'
patterns="$INFO [{F, element(2, Info({load, F, 1}, traced))} || F <- [up, call]]."
reload="$INFO"' code:purge(load), {module, load} = code:load_file(load),
	Traced = fun() -> [element(2, Info({load, F, 1}, traced)) || F <- [up, call]] end,
	(fun Wait(0) -> Traced(); Wait(N) -> case Traced() of [local, local] -> true; _ -> timer:sleep(50), Wait(N - 1) end end)(600).'

node_eval '{module, load} = code:ensure_loaded(load), 1 = erlang:trace_pattern({load, up, 1}, [{[seven], [], []}], [local]), ok.'
trace_start out -x maxoverhead=0 -n "$all"
node_eval "$reload"
echo "reloaded: $(node_eval "$patterns")"
trace_stop 2>/dev/null
echo "the script ended: $?, $(node_eval "$patterns")"
echo "left: $(clean_node)"

trace_start out -x maxoverhead=0 -n "$all"
node_eval "$reload"
node_eval '1 = erlang:trace_pattern({load, up, 1}, [{[seven], [], []}], [local]), ok.'
trace_stop 2>/dev/null
echo "the script ended: $?, the tool has $(node_eval 'erlang:trace_info({load, up, 1}, match_spec).')"
node_eval 'erlang:trace_pattern({load, up, 1}, false, [local]), ok.'
echo "left: $(clean_node)"
