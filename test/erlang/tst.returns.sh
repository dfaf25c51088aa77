# Each call has one return, at the right moment: nested calls, tail calls, recursion, exceptions, hibernation, functions
# whose value is looked at; by levels of the stack, which the library reads, and by callers, if it cannot. A function has
# no match specification where levels are known.
# @@timeout: 120
. "$srcdir/lib.sh"
erlc -o . "$srcdir/returns.erl" || exit 1

# These are traced; far/1, u/1 and through/1 are not. The number is the depth among the traced calls.
script='erlang*:returns:next/1:entry { printf("%s:\n", text(args[0])); }'
for f in a b c t deep loop ping pong over catches thrown sleeper woken leaf; do
	script="$script erlang*:returns:$f/1:entry { printf(\"$f%d\\n\", stackdepth); } erlang*:returns:$f/1:return { printf(\"/$f%d\\n\", stackdepth); }"
done
follow() { # what came and went, a line for each function
	trace_start out -x maxoverhead=1000 -n "$script"
	node_eval "returns:all([$1])." >all.said
	trace_stop
	awk '/:$/ { printf "%s%s", end, $0; end = "\n"; next } { printf " %s", $0 } END { print "" }' out.txt
}
way() { # the pattern that a traced function has while a script runs
	trace_start out -n 'erlang*:returns:c/1:return { @ = count(); }' -n 'erlang*:returns:next/1:entry { @ = count(); }'
	node_eval "$INFO element(2, Info({returns, c, 1}, match_spec))."
	node_eval 'returns:run(c).' >/dev/null
	trace_stop >/dev/null
}

node_start +S 1
follow a,t,deep,loop,ping,over,catches,sleeper
echo "pattern: $(way)"

# A value needs a frame of the VM for each call. Another script's return of the same function is as always.
trace_start one -x maxoverhead=1000 -n 'erlang*:returns:value/1:return { @["value", (int)args[0]] = count(); }'
one=$TRACE_PID
trace_start two -x maxoverhead=1000 -n 'erlang*:returns:value/1:return { @["value"] = count(); } erlang*:returns:c/1:return { @["c"] = count(); }'
node_eval 'returns:all([value, a]).' >/dev/null
trace_stop
cat two.txt
trace_out=one TRACE_PID=$one
trace_stop
cat one.txt
echo "after: $(clean_node)"

# Where the stack cannot be read, callers tell the same, but for recursion through a function that is not traced.
node_start +S 1 -pa "$BUILD/otp/erltrace/ebin"
node_eval "ok = erltrace_tracer:load(\"$BUILD/otp/erltrace/priv/erltrace_tracer\"), [true, ok] = [erltrace_tracer:level(W) || W <- ['begin', impossible]], done."
follow a,t,deep,loop,ping
echo "pattern: $(way)"
echo "after: $(clean_node release)"

# A compiler for older releases makes code that leaves more garbage.
mkdir old
erlc +no_bsm_opt -o old "$srcdir/../../otp/erltrace/src/erltrace_levels.erl" || exit 1
node_start +S 1 -pa "$BUILD/otp/erltrace/ebin" -pa old
echo "levels known: $(node_eval "ok = erltrace_tracer:load(\"$BUILD/otp/erltrace/priv/erltrace_tracer\"), erltrace_levels:known().")"
