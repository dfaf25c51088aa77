# stackdepth is the depth of a call among the traced ones: in entries, in returns whether or not they use the value, in
# exceptions, and as the last argument of function-entry; also if nothing else in the script needs it.
# @@timeout: 60
. "$srcdir/lib.sh"
cat >deep.erl <<'ERL'
-module(deep).
-export([run/0, down/1, fails/1]).
run() -> R = down(2), {R, try fails(1) catch error:_ -> caught end}.
down(0) -> bottom;
down(N) -> {N, down(N - 1)}.
fails(N) -> _ = down(N), error(no).
ERL
erlc deep.erl || exit 1
node_start
run() { # run SCRIPT
	trace_start out -q -n "$1"
	node_eval 'deep:run(), timer:sleep(200), ok.' >/dev/null
	trace_stop
	sort out.txt | uniq -c | sed 's/^ *//'
	cat out.err
}
echo '# entries alone'
run 'erlang*:deep:down/1:entry { printf("%d\n", stackdepth); }'
echo '# returns'
run 'erlang*:deep:run/0:entry, erlang*:deep:down/1:return { printf("%s %d\n", probename, stackdepth); }'
echo '# values of returns'
run 'erlang*:deep:run/0:entry { printf("run %d\n", stackdepth); } erlang*:deep:down/1:return { printf("%d %s\n", stackdepth, stringof(args[0])); }'
echo '# exceptions'
run 'erlang*:deep:*:entry { } erlang*:deep:fails/1:exception { printf("%d %s\n", stackdepth, stringof(args[0])); }'
echo '# function-entry'
run 'erlang*:::function-entry /copyinstr(arg1) == "deep:down/1"/ { printf("%s %d\n", copyinstr(arg1), arg2 == stackdepth && arg2 > 0); }
	erlang*:::function-entry /copyinstr(arg1) == "deep:run/0"/ { self->base = arg2; }
	erlang*:::function-entry /self->base && copyinstr(arg1) == "deep:down/1"/ { printf("above run %d\n", arg2 - self->base); }'
echo "after: $(clean_node)"
