# A node on arm64: the command sends it the library for its processor, packed, from its folder or, if the command was
# copied alone, from inside itself. Calls, returns, messages, spawns and terms are counted exactly, and nothing is left.
# @@timeout: 300
. "$srcdir/lib.sh"
. "$srcdir/arm64.sh"
cat >am.erl <<'END'
-module(am).
-export([start/0, work/1, twice/1]).
start() ->
    [work({item, N, <<"abc">>}) || N <- lists:seq(1, 1000)],
    Sink = spawn(fun F() -> receive stop -> ok; _ -> F() end end),
    [Sink ! N || N <- lists:seq(1, 500)],
    [receive {'DOWN', Ref, process, _, _} -> ok end || N <- lists:seq(1, 50), {_, Ref} <- [spawn_monitor(?MODULE, twice, [N])]],
    Sink ! stop,
    done.
work({item, N, _}) -> 1 + twice(N).
twice(N) -> 2 * N.
END
erlc am.erl || exit 1
node_start -pa .
node_eval 'hd(string:split(erlang:system_info(system_architecture), "-")).'
count() {
	trace_start out -n '
	erlang*:am:work/1:entry { @entries[element(1, args[0]), strlen(binary(element(3, args[0])))] = count(); @sum = sum(element(2, args[0])); self->t = timestamp; }
	erlang*:am:work/1:return /self->t/ { @returns[term_int(args[0]) & 1] = count(); self->t = 0; }
	erlang*:am:twice/1:entry { @twice[probefunc] = count(); }
	erlang*:am:start/0:entry { self->am = 1; }
	erlang*:::message-send /self->am && arg2 == 0/ { @sent = count(); }
	erlang*:::process-spawn { @born[copyinstr(arg1)] = count(); }
	END {
		printa("%s %d: %@d\n", @entries);
		printa("sum %@d\n", @sum);
		printa("sent %@d\n", @sent);
		printa("odd %d: %@d\n", @returns);
		printa("%s %@d\n", @twice);
		printa("%s %@d\n", @born);
	}'
	node_eval 'am:start().'
	trace_stop
	grep -E 'item|sum|sent|odd|twice' out.txt
	clean_node
}
count
mkdir alone && cp "$ERLTRACE" alone/erltrace && ERLTRACE=$PWD/alone/erltrace || exit 1
echo 'copied alone:'
count
