# Switches of processes and collections whose clauses need only the process run while the VM asks whether the event is
# wanted, and the VM makes no event of them. Nothing is missing and nothing comes twice: alone, beside scripts that look
# at more of the same events, and with stacks.
. "$srcdir/lib.sh"
cat >brief.erl <<'END2'
-module(brief).
-export([run/0, work/1]).
work(Parent) ->
    receive go -> ok end,
    [erlang:yield() || _ <- lists:seq(1, 300)],
    [erlang:garbage_collect(self(), [{type, minor}]) || _ <- lists:seq(1, 40)],
    [erlang:garbage_collect(self(), [{type, major}]) || _ <- lists:seq(1, 25)],
    Parent ! done.
run() ->
    {P, Ref} = spawn_opt(?MODULE, work, [self()], [monitor, {min_heap_size, 50000}]),
    waits(P),
    P ! go,
    receive done -> ok end,
    receive {'DOWN', Ref, _, _, normal} -> ok end,
    list_to_atom(pid_to_list(P)).
waits(P) ->
    process_info(P, status) =:= {status, waiting} orelse begin erlang:yield(), waits(P) end.
END2
erlc brief.erl || exit 1
node_start -pa . -s brief module_info

# counts OUT PROCESS: lines "NAME PROCESS COUNT" of that process, whose name may stand behind it
counts() {
	awk -v p="$2" '$2 == p { print $1, $NF }' "$1" | sort
}
brief='erlang*:::process-scheduled { @in[copyinstr(arg0)] = count(); self->t = timestamp; }
	erlang*:::process-unscheduled { @out[copyinstr(arg0)] = count(); }
	erlang*:::process-unscheduled /self->t/ { @slices[copyinstr(arg0)] = count(); @eproc[eproc] = count(); self->t = 0; }
	erlang*:::gc_minor-start, erlang*:::gc_major-start { self->gc = timestamp; }
	erlang*:::gc_minor-end /self->gc/ { @minor[copyinstr(arg0)] = count(); self->gc = 0; }
	erlang*:::gc_major-end /self->gc/ { @major[copyinstr(arg0)] = count(); self->gc = 0; }
	END { printa("in %s %@d\n", @in); printa("out %s %@d\n", @out); printa("slices %s %@d\n", @slices); printa("eproc %s %@d\n", @eproc);
		printa("minor %s %@d\n", @minor); printa("major %s %@d\n", @major); }'
whole='erlang*:::process-scheduled /copyinstr(arg1) != "x"/ { @in[copyinstr(arg0)] = count(); }
	erlang*:::gc_minor-end, erlang*:::gc_major-end /arg1 < 1000000/ { @gc[copyinstr(arg0)] = count(); }
	END { printa("in %s %@d\n", @in); printa("gc %s %@d\n", @gc); }'
stacks='erlang*:::process-scheduled { @in[copyinstr(arg0), ustack(1)] = count(); @n[copyinstr(arg0)] = count(); }
	erlang*:::process-heap_grow, erlang*:::process-heap_shrink { @heap[copyinstr(arg0)] = count(); }
	END { trunc(@in, 0); printa("in %s %@d\n", @n); }'

echo '-- alone'
trace_start alone -q -n "$brief"
p=$(node_eval 'brief:run().' | tr -d "'")
trace_stop
counts alone "$p"
echo '-- beside one that looks at the function and at what was reclaimed'
trace_start first -q -n "$brief"
first=$TRACE_PID
trace_start second -q -n "$whole"
p=$(node_eval 'brief:run().' | tr -d "'")
trace_stop
TRACE_PID=$first
trace_stop
counts first "$p"
counts second "$p"
echo '-- beside one with stacks, and changes of heaps'
trace_start first -q -n "$brief"
first=$TRACE_PID
trace_start second -q -n "$stacks"
p=$(node_eval 'brief:run().' | tr -d "'")
trace_stop
TRACE_PID=$first
p2=$(node_eval 'brief:run().' | tr -d "'")
trace_stop
counts first "$p"
counts second "$p"
echo '-- and when that has gone'
counts first "$p2"
cat alone.err first.err second.err | grep -v -e matched -e 'never fired'
clean_node
