# Sourced by the fuzz tests and by fuzz_long.sh, after lib.sh.
#
#   fuzz_node [erl arguments]    a node
#   fuzz_compile                 some D objects
#   fuzz_load                    puts the node under random load
#   fuzz_scripts SECONDS         scripts come and go, most of them killed
#   fuzz_api SECONDS             the library's functions with changed D objects, in any order, by many at once
#   fuzz_agent SECONDS           the same through agents
#   fuzz_end                     the load ends; the node must still give exact numbers, and nothing may be left
LIBRARY=$BUILD/otp/erltrace/priv/erltrace_tracer

fuzz_node() {
	erlc -o . "$srcdir/fuzz_load.erl" "$srcdir/fuzz_objects.erl" || exit 1
	node_start "$@"
}

fuzz_load() {
	[ "$(node_eval 'element(1, fuzz_load:start(3)).')" = ok ] || exit 1
}

fuzz_scripts() {
	escript "$srcdir/fuzz_vm.escript" "$ERLTRACE" "$NODE" "$COOKIE" "$1" "${FUZZ_LIMIT:-60}" >fuzz_vm.out 2>&1 || { cat fuzz_vm.out; return 1; }
	grep -v commands fuzz_vm.out
	still_works scripts
}

# Real objects to begin with.
fuzz_compile() {
	n=0
	while read -r script; do
		n=$((n + 1))
		trace --compile-only -o "fuzz$n.dobj" -n "$script" || exit 1
	done <<'END'
erlang*:fuzz_load:f/1:entry { printf("%s %d\n", args[0], arg1); @[args[0]] = count(); x[text(args[0]), arg1] = timestamp; } dtrace:::END { printa(@); }
erlang*:fuzz_load:g/2:entry { self->a = text(args[0]); this->t = element(1, args[0]); trace(map_get("id", this->t)); } erlang*:fuzz_load:g/2:return { @l[self->a] = lquantize(timestamp, 0, 100, 5); @q = quantize(vtimestamp); stack(); ustack(); }
erlang*:::message-send { @[copyinstr(arg0), copyinstr(arg1)] = quantize(arg2); s = strjoin(copyinstr(arg0), "abc"); trace(substr(s, 2, 4)); trace(strtok(s, "b")); trace(index(s, "bc")); trace(execname); this->buf = copyin(arg0, 4); tracemem(this->buf, 4); } dtrace:::ERROR { trace(arg4); @e[arg1] = llquantize(arg4, 10, 0, 3, 10); }
erlang*:::process-spawn { self->spec = speculation(); speculate(self->spec); trace(probename); } erlang*:::process-exit { commit(self->spec); } erlang*:::process-exit { discard(self->spec); exit(1); } profile:::tick-100 { trace(json("{\"a\":[1,2]}", "a[1]")); trace(curpsinfo->pr_psargs); trace(fds[0].fi_pathname); }
erlang*:fuzz_load:f/1:entry { @[probefunc] = count(); } profile:::tick-1000 { printa(@); clear(@); } profile:::tick-1000 { i++; } dtrace:::END { exit(0); }
END
	OBJECTS="[\"$PWD/fuzz\" ++ [C] ++ \".dobj\" || C <- \"12345\"]"
}

fuzz_api() {
	left=$(node_eval "{Counts, State} = fuzz_objects:api($1000, \"$LIBRARY\", $OBJECTS), {lists:all(fun erlang:is_integer/1, Counts), State}.")
	case $left in
	'{true, {0, 0, 0, 0, 0}}') ;;
	*) echo "scripts are left, or a caller has died: $left" ;;
	esac
	still_works api
}

fuzz_agent() {
	ran=$(node_eval "fuzz_objects:run($1000, \"$LIBRARY\", $OBJECTS).")
	case $ran in
	*result,*) ;;
	*) echo "the agent did not answer, or did not end: $ran" ;;
	esac
	still_works agent
}

# Checks that rounds go on. On a busy machine the code server may need many seconds for those who wait for it.
still_works() {
	before=$(node_eval 'fuzz_load:rounds().') after=$before
	for _ in $(seq 80); do
		sleep 0.5
		after=$(node_eval 'fuzz_load:rounds().')
		[ "$after" != "$before" ] && break
	done
	[ "$after" -gt "$before" ] && echo "$1: the node works on" || echo "$1: the node stands still: $before, $after: $(node_eval 'fuzz_load:now().')"
}

fuzz_end() {
	node_eval 'fuzz_load:stop().' >/dev/null
	trace_start fuzz.out -x maxoverhead=1000 -n 'erlang*:fuzz_load:counted/1:entry { @ = count(); }'
	node_eval 'fuzz_load:count(20000).' >/dev/null
	trace_stop
	cat fuzz.out.txt
}
