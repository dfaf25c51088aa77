# No term is too much: large, deep, improper, odd. Every function returns or faults within its bounds, and the node
# continues.
# @@timeout: 90
. "$srcdir/lib.sh"

cat >th.erl <<'END'
-module(th).
-export([go/0, f/2, text/1]).
go() -> lists:foreach(fun({N, T}) -> f(N, T), self() ! T, receive _ -> ok end end, terms()), done.
f(N, _) -> N.
text(X) -> X.
terms() ->
    Big = binary:copy(<<"x">>, 100000000),
    <<_:1, Unaligned:8000000/bits, _/bits>> = Big,
    [{big_binary, Big}, {unaligned, Unaligned},
     {long_list, lists:seq(1, 2000000)},
     {improper, [1, 2 | tail]},
     {deep_list, lists:foldl(fun(_, A) -> [A] end, [], lists:seq(1, 300000))},
     {deep_tuple, lists:foldl(fun(_, A) -> {A} end, {}, lists:seq(1, 300000))},
     {deep_map, lists:foldl(fun(_, A) -> #{k => A} end, #{}, lists:seq(1, 30000))},
     {big_map, maps:from_list([{I, I} || I <- lists:seq(1, 100000)])},
     {big_tuple, erlang:make_tuple(1000000, x)},
     {bignum, 1 bsl 1000000}, {least, -(1 bsl 63)}, {less, -(1 bsl 63) - 1}, {most, (1 bsl 63) - 1}, {more, 1 bsl 63},
     {empty_atom, ''}, {odd_atom, 'it\'s'}, {cyrillic, list_to_atom([1090, 1077, 1089, 1090])},
     {long_atom, list_to_atom(lists:duplicate(255, 1090))},
     {nul, <<"a", 0, "b">>}, {empty_binary, <<>>}, {bits, <<5:3>>}, {nil, []}].
END
erlc th.erl || exit 1
cat >th.d <<'END'
erlang*:th:f/2:entry { printf("%s:", atom(args[0])); }
erlang*:th:f/2:entry /atom(args[0]) != "big_map" && atom(args[0]) != "unaligned" && atom(args[0]) != "long_atom"/ { printf(" %.24s", args[1]); }
erlang*:th:f/2:entry { self->bytes = strlen(args[1]); printf("%s", self->bytes > 256 ? " TOO LONG" : ""); }
erlang*:th:f/2:entry /is_list(args[1])/ { printf(" length %d", length(args[1])); }
erlang*:th:f/2:entry /is_list(args[1])/ { printf(" hd %.10s", hd(args[1])); }
erlang*:th:f/2:entry /is_map(args[1])/ { printf(" size %d", map_size(args[1])); }
erlang*:th:f/2:entry /is_map(args[1])/ { printf(" of 77: %s", map_get(77, args[1])); }
erlang*:th:f/2:entry /is_map(args[1])/ { printf(" itself %d", is_map_key(args[1], args[1])); }
erlang*:th:f/2:entry /is_tuple(args[1])/ { printf(" size %d %.10s", tuple_size(args[1]), element(1, args[1])); }
erlang*:th:f/2:entry /is_binary(args[1])/ { printf(" size %d %d", byte_size(args[1]), strlen(binary(args[1]))); }
erlang*:th:f/2:entry /is_integer(args[1])/ { printf(" %d", args[1]); }
erlang*:th:f/2:entry /is_atom(args[1])/ { printf(" %d", strlen(atom(args[1]))); }
erlang*:th:f/2:entry { printf("\n"); }
erlang*:::message-queued { @ = quantize(strlen(args[6])); }
ERROR { printf(" fault %d%s", arg4, eproc == "" ? " nowhere" : ""); }
END
node_start -pa . -s th module_info
trace_start out -s th.d
[ "$(node_eval 'th:go().')" = done ] || exit 1
trace_stop 2>errors
sed '/value ---/,$d' out.txt
grep -v -e "error on enabled" -e "larger than one event may look at" errors >&2
node_alive && echo alive
