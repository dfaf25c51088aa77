# Looking at terms costs little, whatever they are: sizes are found without touching the bytes, a binary that does not
# start at a byte boundary is not copied, a binary that grows can still grow in place, and one event looks at a limited
# amount.
# @@timeout: 120
. "$srcdir/lib.sh"
cat >tc.erl <<'END'
-module(tc).
-export([sends/0, look/1, appends/1, odd/0, many/0]).
%% ms of the processor
cost(F) -> {A, _} = statistics(runtime), F(), {B, _} = statistics(runtime), B - A.
sends() ->
    <<_:1, Unaligned:80000000/bits, _/bits>> = binary:copy(<<"x">>, 10000001),
    List = lists:duplicate(300, Unaligned),
    Sink = spawn(fun F() -> receive {stop, P} -> P ! stopped; _ -> F() end end),
    erlang:garbage_collect(),
    Cost = cost(fun() -> [Sink ! List || _ <- lists:seq(1, 5)] end),
    Memory = erlang:memory(binary),
    Sink ! {stop, self()},
    receive stopped -> ok end,
    {Cost < 500, Memory < 100000000}.
look(_) -> ok.
%% Appending to what was looked at costs as much as to what was not, but for the event: 200,000 appends of a byte to a binary
%% that is copied each time are 20 GB.
appends(N) -> cost(fun() -> append(N, <<>>) end).
append(0, B) -> B;
append(N, B) -> look(B), append(N - 1, <<B/binary, N:8>>).
odd() ->
    <<_:3, Odd:160/bits, _/bits>> = <<"abcdefghijklmnopqrstuvwxyz">>,
    <<_:8, Text:160/bits, _/bits>> = <<"abcdefghijklmnopqrstuvwxyz">>,
    Large = binary:copy(<<"0123456789">>, 100),
    [look(B) || B <- [Odd, Text, <<"plain">>, <<1, 2, 3>>, Large, binary:part(Large, 5, 90), <<5:3>>, <<"abc", 5:3>>, <<>>]],
    ok.
many() -> look(lists:seq(1, 1000000)), look({lists:duplicate(5000, {a, b})}), look([1, 2, 3]), ok.
END
erlc tc.erl || exit 1
node_start -pa . -s tc module_info

trace_start out -n 'erlang*:::message-send /arg2 > 1000/ { @ = quantize(arg2); }'
node_eval 'tc:sends().'
trace_stop
trace_start out -x maxoverhead=0 -n 'erlang*:tc:look/1:entry { @[byte_size(args[0]) > 199998 ? "all" : byte_size(args[0]) > 0 ? "some" : "none"] = count(); }'
node_eval 'case tc:appends(200000) of T when T < 3000 -> appended; T -> {took, T} end.'
trace_stop
cat out.txt
trace_start out -x strsize=48 -n 'erlang*:tc:look/1:entry { printf("%d %s\n", byte_size(args[0]), args[0]); }
	erlang*:tc:look/1:entry /is_binary(args[0])/ { printf("%d %s\n", strlen(binary(args[0])), binary(args[0]) == "bcdefghijklmnopqrstu" ? "the text" : ""); }'
node_eval 'tc:odd().'
trace_stop
cat out.txt
# More than an event may look at is unknown, and counted.
trace_start out -n 'erlang*:tc:look/1:entry /is_list(args[0])/ { printf("%u\n", length(args[0])); }
	erlang*:tc:look/1:entry /is_tuple(args[0])/ { printf("%u %s\n", length(element(1, args[0])), hd(element(1, args[0]))); }
	erlang*:::message-send /arg2 == 4294967295/ { @["unknown"] = count(); }'
node_eval 'tc:many().'
node_eval 'P = spawn(fun F() -> receive _ -> F() end end), P ! lists:seq(1, 10000), ok.'
trace_stop 2>err
cat out.txt
sed 's/^[^:]*: //; s/^[0-9]* times*/N times/' err | sort -u
