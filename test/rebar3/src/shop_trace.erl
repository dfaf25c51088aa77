-module(shop_trace).

-export([main/0, add/2]).

add(A, B) -> A + B.

main() ->
    {ok, H} = erltrace:open(),
    ok = erltrace:compile(H, "erlang*:shop_trace:add/2:entry { @[probefunc] = count(); }"),
    ok = erltrace:go(H),
    55 = lists:foldl(fun(A, B) -> ?MODULE:add(A, B) end, 0, lists:seq(1, 10)),
    {ok, [{count, ["add/2"], 10}]} = erltrace:walk(H),
    ok = erltrace:close(H).
