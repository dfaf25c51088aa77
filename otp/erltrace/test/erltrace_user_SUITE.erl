%% Probes that applications fire themselves, and their tags.
-module(erltrace_user_SUITE).
-include_lib("common_test/include/ct.hrl").
-include_lib("stdlib/include/assert.hrl").

-compile([export_all, nowarn_export_all]).

-import(erltrace_test, [start/1, wait/1]).

-define(FIELDS, "{ printf(\"%d %d %d %d '%s' '%s' '%s' '%s'\", arg2, arg3, arg4, arg5, "
                "arg6 == NULL ? \"-\" : copyinstr(arg6), arg7 == NULL ? \"-\" : copyinstr(arg7), "
                "arg8 == NULL ? \"-\" : copyinstr(arg8), arg9 == NULL ? \"-\" : copyinstr(arg9)); }").

all() ->
    [disabled, arguments, wrong_arguments, only_that_probe, numbered, s1, process_and_tag, tags, spreading, dyntrace,
     disabled_cost].

end_per_testcase(_, _) ->
    erltrace_test:finish().

printed(H) ->
    case erltrace:consume(H) of
        ok -> [];
        {ok, Records} -> [Text || {printf, _, Text} <- Records]
    end.

disabled(_) ->
    false = erltrace:p(),
    false = erltrace:p(1, 2, 3, 4, "a", "b", "c", "d"),
    false = erltrace:pn(0),
    false = erltrace:pn(950, 1, "x"),
    false = erltrace:user_trace_s1("message").

%% Integers first, then text: every legal number of each.
arguments(_) ->
    H = start("erlang*:::user_trace-i4s4 " ?FIELDS),
    [begin
         Ints = lists:sublist([1, -2, 3, 1 bsl 40], I),
         Strings = lists:sublist(["one", <<"two">>, ["th", [$r, <<"ee">>]], ""], S),
         true = apply(erltrace, p, Ints ++ Strings),
         Shown = lists:join(" ", [integer_to_list(N) || N <- Ints ++ lists:duplicate(4 - I, 0)]
                                 ++ [["'", iolist_to_binary(T), "'"] || T <- Strings] ++ lists:duplicate(4 - S, "'-'")),
         ?assertEqual([lists:flatten(io_lib:format("~s", [Shown]))], printed(H))
     end || I <- lists:seq(0, 4), S <- lists:seq(0, 4)],
    ok = erltrace:close(H).

%% As in dyntrace: 0 and NULL instead.
wrong_arguments(_) ->
    H = start("erlang*:::user_trace-i4s4 " ?FIELDS),
    true = erltrace:p(1 bsl 64, an_atom),
    true = erltrace:p(1, binary:copy(<<"x">>, 1025)),
    true = erltrace:p([1 bsl 20]),
    ["0 0 0 0 '-' '-' '-' '-'", "1 0 0 0 '-' '-' '-' '-'", "0 0 0 0 '-' '-' '-' '-'"] = printed(H),
    ?assertError(function_clause, erltrace:p("a", "b", "c", "d", "e")),
    ok = erltrace:close(H).

only_that_probe(_) ->
    H = start("erlang*:::user_trace-n7 " ?FIELDS),
    false = erltrace:p(1),
    false = erltrace:pn(8, 1),
    false = erltrace:user_trace_s1("x"),
    true = erltrace:pn(7, 1),
    ok = erltrace:stop(H),
    false = erltrace:pn(7, 1),
    ["1 0 0 0 '-' '-' '-' '-'"] = printed(H),
    ok = erltrace:close(H).

numbered(_) ->
    H = start("erlang*:::user_trace-n0, erlang*:::user_trace-n950 { printf(\"%s %d %s\", probename, arg2, copyinstr(arg6)); }"),
    true = erltrace:pn(0, 1, "a"),
    true = erltrace:pn(950, 2, "b"),
    badarg = erltrace:pn(951),
    badarg = erltrace:pn(-1),
    badarg = erltrace:pn(x),
    ["user_trace-n0 1 a", "user_trace-n950 2 b"] = printed(H),
    ok = erltrace:close(H).

s1(_) ->
    H = start("erlang*:::user_trace-s1 { printf(\"%s\", copyinstr(arg0)); }"),
    true = erltrace:user_trace_s1(["mess", <<"age">>]),
    badarg = erltrace:user_trace_s1(no_text),
    badarg = erltrace:user_trace_s1(binary:copy(<<"x">>, 1025)),
    ["message"] = printed(H),
    ok = erltrace:close(H).

process_and_tag(_) ->
    H = start("erlang*:::user_trace-i4s4 { printf(\"%s %s\", copyinstr(arg0), arg1 == NULL ? \"-\" : copyinstr(arg1)); }"),
    true = erltrace:p(),
    undefined = erltrace:put_tag("GOAL"),
    true = erltrace:p(),
    <<"GOAL">> = erltrace:put_tag(undefined),
    Self = pid_to_list(self()),
    ?assertEqual([Self ++ " -", Self ++ " GOAL"], printed(H)),
    ok = erltrace:close(H).

tags(_) ->
    undefined = erltrace:get_tag(),
    undefined = erltrace:get_tag_data(),
    undefined = erltrace:put_tag(["a", <<"b">>]),
    <<"ab">> = erltrace:get_tag(),
    <<"ab">> = erltrace:get_tag_data(),
    <<"ab">> = erltrace:put_tag("ü"),
    <<"ü"/utf8>> = erltrace:put_tag(undefined),
    undefined = erltrace:get_tag().

%% The tag goes with messages, until one comes without.
spreading(_) ->
    Self = self(),
    Last = spawn_link(fun() -> relay(Self) end),
    First = spawn_link(fun() -> relay(Last) end),
    erltrace:put_tag("order-17"),
    First ! go,
    undefined = came(),
    Before = erltrace:spread_tag(true),
    First ! go,
    <<"order-17">> = came(),
    true = erltrace:restore_tag(Before),
    seq_trace:set_token([]),
    First ! go,
    undefined = came(),
    [] = seq_trace:get_token(),
    erltrace:put_tag(undefined),
    %% somebody's own token is left alone
    seq_trace:set_token(label, 17),
    Foreign = seq_trace:get_token(),
    erltrace:put_tag("x"),
    State = erltrace:spread_tag(true),
    Foreign = seq_trace:get_token(),
    true = erltrace:restore_tag(State),
    Foreign = seq_trace:get_token(),
    seq_trace:set_token([]),
    erltrace:put_tag(undefined).

relay(To) ->
    receive
        go -> To ! go;
        {tag, _} = T -> To ! T
    end,
    is_pid(To) andalso put(seen, erltrace:get_tag_data()),
    relay(To).

%% What the last process saw: it has got the message before it sent this one.
came() ->
    receive go -> ok after 15000 -> error(nothing_came) end,
    case seq_trace:get_token() of
        [] -> undefined;
        {_, {_, Tag}, _, _, _} -> Tag
    end.

%% OTP's own probes.
dyntrace(_) ->
    {module, dyntrace} = code:ensure_loaded(dyntrace),
    H = start("erlang*:::user_trace-i4s4, erlang*:::user_trace-n5 { printf(\"%s %d %s\", probename, arg2, copyinstr(arg6)); } "
              "erlang*:::user_trace-s1 { printf(\"s1 %s\", copyinstr(arg0)); }"),
    dyntrace:p(1, "one"),
    dyntrace:pn(5, 2, "two"),
    dyntrace:pn(6, 3, "three"),
    try dyntrace:user_trace_s1("text") catch _:_ -> ok end,
    ["user_trace-i4s4 1 one", "user_trace-n5 2 two", "s1 text"] = printed(H),
    ok = erltrace:close(H).

%% Nanoseconds for a disabled call, the best of many short rounds (others may be busy here), without the loop's own.
disabled_cost(_) ->
    start_and_close(),
    N = 20000,
    Best = fun(F) -> lists:min([element(1, timer:tc(F, [N])) || _ <- lists:seq(1, 300)]) * 1000 / N end,
    Empty = Best(fun loop_empty/1),
    Nif = Best(fun loop_nif/1) - Empty,
    Cost = [{Name, Best(F) - Empty} || {Name, F} <- [{p0, fun loop_p0/1}, {p4, fun loop_p4/1}, {pn, fun loop_pn/1}]],
    ct:pal("disabled calls, ns: ~p; any NIF: ~p", [Cost, Nif]),
    %% a NIF that does nothing takes some 11 ns, unless the machine is busy with other things
    [?assert(Ns < max(50, 3 * Nif), {Name, Ns}) || {Name, Ns} <- Cost],
    {comment, lists:flatten(io_lib:format("~p", [[{Name, round(Ns)} || {Name, Ns} <- Cost]]))}.

%% So that the library is loaded.
start_and_close() ->
    ok = erltrace:close(start("BEGIN { }")).

loop_empty(0) -> ok;
loop_empty(N) -> loop_empty(N - 1).

loop_nif(0) -> ok;
loop_nif(N) -> erltrace_tracer:user_trace_s1(x), loop_nif(N - 1).

loop_p0(0) -> ok;
loop_p0(N) -> false = erltrace:p(), loop_p0(N - 1).

loop_p4(0) -> ok;
loop_p4(N) -> false = erltrace:p(N, 2, "three", <<"four">>), loop_p4(N - 1).

loop_pn(0) -> ok;
loop_pn(N) -> false = erltrace:pn(17, N), loop_pn(N - 1).
