# args[0] of a return probe is the value, once for each return; args[0] and args[1] of an exception probe are class and
# reason. Only functions whose value is used lose their tail calls.
. "$srcdir/lib.sh"

cat >tr.erl <<'END'
-module(tr).
-export([go/0, value/1, bad/1, loop/1, memory/1]).
go() ->
    [value(N) || N <- [1, 2, 3]],
    catch bad(x),
    catch bad(y),
    {value, loop(100)}.
value(N) -> {ok, N * N}.
bad(X) -> throw({oops, X}).
loop(0) -> 0;
loop(N) -> loop(N - 1).
%% words of a process that has made a deep tail recursion
memory(N) ->
    {P, R} = spawn_monitor(fun() -> loop(N), exit(element(2, process_info(self(), total_heap_size))) end),
    receive {'DOWN', R, process, P, Words} -> Words end.
END
erlc tr.erl || exit 1
node_start -pa . -s tr module_info
cat >tr.d <<'END'
erlang*:tr:value/1:entry { self->n = args[0]; self->in++; }
erlang*:tr:value/1:return /self->in == 1/ { self->in--; printf("%s -> %s, %d\n", self->n, args[0], element(2, args[0])); }
erlang*:tr:value/1:return { @["return"] = count(); }
erlang*:tr:bad/1:exception { printf("%s: %s %s\n", args[0], args[1], atom(element(2, args[1]))); }
erlang*:tr:bad/1:return { @["return of bad"] = count(); }
END
trace_start out -s tr.d
[ "$(node_eval 'tr:go().')" = '{value, 0}' ] || exit 1
trace_stop
cat out.txt

few() {
	[ "$(node_eval 'tr:memory(20000).')" -lt 20000 ] && echo "$1: small" || echo "$1: large"
}
few untraced
trace_start out -n 'erlang*:tr:loop/1:return { @ = count(); }'
few 'traced without the value'
trace_stop
cat out.txt
trace_start out -n 'erlang*:tr:loop/1:entry { @e = sum(args[0]); } erlang*:tr:loop/1:return { @ = sum(args[0]); @n = count(); }'
few 'traced with the value'
trace_stop
cat out.txt
clean_node
