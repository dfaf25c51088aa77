%% The API of module erltrace: its shapes and its errors.
-module(erltrace_api_SUITE).
-include_lib("common_test/include/ct.hrl").
-include_lib("stdlib/include/assert.hrl").

-compile([export_all, nowarn_export_all]).

-import(erltrace_test, [start/1, start/2, wait/1]).

all() ->
    [life, websocket_handler, heat_map_script, function_latency, numbers, distributions, keys, only_what_is_new,
     names_only_keep, wrong_options_leave_nothing, records, printa_and_clear, stacks, faults, end_after_stop, strings, source_forms, no_source, arguments,
     compile_errors, order_errors, options, exits, lists_probes, status, clears, version, app_file, two_handles,
     other_process, drops_are_told].

end_per_testcase(_, _) ->
    erltrace_test:finish().

life(_) ->
    {ok, H} = erltrace:open(),
    ok = erltrace:compile(H, "erlang*:shop:add/2:entry { @[probefunc] = count(); }"),
    ok = erltrace:go(H),
    shop:fill(1000),
    {ok, [{count, ["add/2"], 1000}]} = erltrace:walk(H),
    ok = erltrace:stop(H),
    shop:fill(1000),
    ok = erltrace:walk(H),
    ok = erltrace:close(H),
    {error, {dtrace, port, "the handle is closed"}} = erltrace:walk(H),
    ok = erltrace:close(H).

%% The websocket handler that the API was made for: text comes in, histograms go out every tick.
websocket_handler(_) ->
    Script = <<"erlang*:shop:fill/1:entry { self->t = vtimestamp; } "
               "erlang*:shop:fill/1:return { @time[\"shop:fill/1\"] = lquantize((vtimestamp - self->t) / 1000, 0, 63, 2); }">>,
    {ok, req, S1} = websocket_handle({text, Script}, req, undefined),
    shop:fill(10),
    shop:fill(10),
    {reply, {text, [{<<"shop:fill/1">>, Buckets}]}, req, S1, hibernate} = websocket_info(tick, req, S1),
    2 = lists:sum([N || [[_, _], N] <- Buckets]),
    {ok, req, S1} = websocket_info(tick, req, S1),
    {ok, req, {_, Handle} = S2} = websocket_handle({text, Script}, req, S1),
    ?assertNotEqual(S1, S2),
    ok = erltrace:close(Handle).

websocket_handle({text, Msg}, Req, State) ->
    {ok, Handle} = case State of
                       undefined ->
                           erltrace:open();
                       {_, Old} ->
                           erltrace:close(Old),
                           erltrace:open()
                   end,
    Msg1 = binary_to_list(Msg),
    ok = erltrace:compile(Handle, Msg1),
    ok = erltrace:go(Handle),
    {ok, Req, {Msg1, Handle}}.

websocket_info(tick, Req, {Msg, Handle} = State) ->
    case erltrace:walk(Handle) of
        {ok, R} ->
            JSON = [{list_to_binary(Call), [[[S, E], V] || {{S, E}, V} <- Vs]} || {lquantize, [Call], Vs} <- R],
            {reply, {text, JSON}, Req, State, hibernate};
        ok ->
            {ok, Req, {Msg, Handle}};
        Other ->
            ct:pal("Error: ~p", [Other]),
            try
                erltrace:stop(Handle)
            catch
                _:_ ->
                    ok
            end,
            {ok, Handle1} = erltrace:open(),
            erltrace:compile(Handle1, Msg),
            erltrace:go(Handle1),
            {ok, Req, {Msg, Handle1}}
    end.

%% Every function of the node, with an associative array of each process.
heat_map_script(_) ->
    H = start("erlang*:::global-function-entry\n{\n  self->funcall_entry_ts[copyinstr(arg1)] = vtimestamp;\n}\n"
              "erlang*:::function-return\n{\n  @time[copyinstr(arg1)] = "
              "lquantize((vtimestamp - self->funcall_entry_ts[copyinstr(arg1)] ) / 1000, 0, 63, 2);\n}\n"),
    shop:fill(100),
    {ok, Elements} = erltrace:walk(H),
    [100] = [lists:sum([N || {_, N} <- Vs]) || {lquantize, ["shop:add/2"], Vs} <- Elements],
    ok = erltrace:close(H).

function_latency(_) ->
    H = start("erlang*:lists:seq/2:entry { self->t = timestamp } "
              "erlang*:lists:seq/2:return /self->t/ { @ = quantize(timestamp - self->t); self->t = 0 }"),
    [lists:seq(1, 10) || _ <- [1, 2, 3]],
    {ok, [{quantize, [], Buckets}]} = erltrace:walk(H),
    3 = lists:sum([N || {{Low, High}, N} <- Buckets, Low =< High]),
    ok = erltrace:close(H).

numbers(_) ->
    H = start("BEGIN { @c = count(); @c = count(); @s = sum(40); @s = sum(2); @n = min(7); @n = min(-3); "
              "@x = max(7); @x = max(9); @a = avg(10); @a = avg(20); @d = stddev(2); @d = stddev(4); @d = stddev(6); }"),
    {ok, Elements} = erltrace:walk(H),
    [{avg, [], 15}, {count, [], 2}, {max, [], 9}, {min, [], -3}, {stddev, [], 1}, {sum, [], 42}] = lists:sort(Elements),
    ok = erltrace:close(H).

%% Bounds are inclusive, ends are open, buckets ascend and are not empty.
distributions(_) ->
    H = start("BEGIN { @q = quantize(0); @q = quantize(5); @q = quantize(7); @q = quantize(-9); "
              "@l = lquantize(-5, 0, 100, 10); @l = lquantize(3, 0, 100, 10); @l = lquantize(99, 0, 100, 10); "
              "@l = lquantize(100, 0, 100, 10); @ll = llquantize(250, 10, 0, 3, 10); }"),
    {ok, Elements} = erltrace:walk(H),
    {_, [], Q} = lists:keyfind(quantize, 1, Elements),
    [{{-15, -8}, 1}, {{0, 0}, 1}, {{4, 7}, 2}] = Q,
    {_, [], L} = lists:keyfind(lquantize, 1, Elements),
    Most = (1 bsl 63) - 1,
    [{{Least, -1}, 1}, {{0, 9}, 1}, {{90, 99}, 1}, {{100, Most}, 1}] = L,
    Least = -(1 bsl 63),
    {_, [], [{{200, 299}, 1}]} = lists:keyfind(llquantize, 1, Elements),
    ok = erltrace:close(H).

keys(_) ->
    H = start("BEGIN { @[\"a\", -1, 18446744073709551615ull, (char)65] = count(); @[\"b\", 2, 3, (char)66] = count(); }"),
    {ok, [{count, ["a", -1, 18446744073709551615, 65], 1}, {count, ["b", 2, 3, 66], 1}]} = erltrace:walk(H),
    ok = erltrace:close(H),
    Signs = start("BEGIN { @[(uint32_t)-1, (int)-1, (uint8_t)-1, (int8_t)-1] = count(); }"),
    {ok, [{count, [4294967295, -1, 255, -1], 1}]} = erltrace:walk(Signs),
    ok = erltrace:close(Signs).

only_what_is_new(_) ->
    H = start("erlang*:shop:add/2:entry { @ = count(); }"),
    shop:fill(3),
    {ok, [{count, [], 3}]} = erltrace:walk(H),
    ok = erltrace:walk(H),
    shop:fill(2),
    {ok, [{count, [], 2}]} = erltrace:walk(H),
    %% each time all of them, however short the time since the last (from OTP 27 on the VM counts them)
    [begin
         shop:fill(N),
         {ok, [{count, [], N}]} = erltrace:walk(H)
     end || N <- lists:seq(1, 100)],
    ok = erltrace:close(H).

names_only_keep(_) ->
    H = start("BEGIN { @a[1] = count(); @b = sum(3); @ = max(4); }"),
    {ok, [{"b", sum, [], 3}]} = erltrace:walk(H, [names, keep, {only, [b]}]),
    {ok, [{sum, [], 3}]} = erltrace:walk(H, [{only, ["@b"]}]),
    ok = erltrace:walk(H, [{only, [<<"b">>]}]),
    {ok, Rest} = erltrace:walk(H, [names]),
    [{"", max, [], 4}, {"a", count, [1], 1}] = lists:sort(Rest),
    {error, {dtrace, walk, _}} = erltrace:walk(H, [nonsense]),
    ok = erltrace:close(H).

%% Each would leave a megabyte in the port program.
wrong_options_leave_nothing(_) ->
    H = start("BEGIN { @a[1] = count(); }"),
    Name = binary:copy(<<"a">>, 1 bsl 20),
    Walk = fun() -> {error, {dtrace, walk, _}} = erltrace:walk(H, [{only, [Name]}, {only, [Name]}]) end,
    Walk(),
    Before = port_memory(H),
    [Walk() || _ <- lists:seq(1, 100)],
    ?assert(port_memory(H) - Before < 50 bsl 20),
    ok = erltrace:close(H).

port_memory(H) ->
    {links, Links} = process_info(H, links),
    [OsPid] = [Pid || Port <- Links, is_port(Port), {os_pid, Pid} <- [erlang:port_info(Port, os_pid)]],
    {ok, Text} = file:read_file(["/proc/", integer_to_list(OsPid), "/statm"]),
    [_, Resident | _] = binary:split(Text, <<" ">>, [global]),
    binary_to_integer(Resident) * 4096.

records(_) ->
    H = start("BEGIN { trace(42); trace(\"text\"); printf(\"%s %d\\n\", \"x\", -1); } erlang*:shop:add/2:entry { exit(7); } END { }"),
    Begin = {"dtrace", "", "", "BEGIN"},
    {ok, [{probe, Begin, 42}, {probe, Begin, "text"}, {printf, Begin, "x -1\n"}]} = erltrace:consume(H),
    shop:fill(1),
    wait(fun() -> maps:get(state, erltrace:status(H)) =:= exited end),
    {ok, [{exit, {_, "shop", "add/2", "entry"}, 7}, {probe, {"dtrace", "", "", "END"}, undefined}]} = erltrace:consume(H),
    ok = erltrace:consume(H),
    ok = erltrace:close(H).

printa_and_clear(_) ->
    H = start("BEGIN { @a[\"k\"] = sum(3); printa(\"%s=%@d;\", @a); clear(@a); }"),
    {ok, [{printa, _, "k=3;"}]} = erltrace:consume(H),
    ok = erltrace:walk(H),
    ok = erltrace:close(H).

stacks(_) ->
    H = start("erlang*:shop:add/2:entry { ustack(); }"),
    shop:fill(1),
    {ok, [{ustack, {_, "shop", "add/2", "entry"}, Frames}]} = erltrace:consume(H),
    ?assert(lists:all(fun is_list/1, Frames)),
    ok = erltrace:close(H).

faults(_) ->
    H = start("BEGIN { this->zero = 0; trace(1 / this->zero); }"),
    {ok, [{fault, {"dtrace", "", "", "BEGIN"}, Text}]} = erltrace:consume(H),
    ?assertNotEqual(nomatch, string:find(Text, "divide-by-zero")),
    ok = erltrace:close(H).

end_after_stop(_) ->
    H = start("erlang*:shop:add/2:entry { @ = count(); } END { trace(\"over\"); }"),
    shop:fill(5),
    ok = erltrace:stop(H),
    ok = erltrace:stop(H),
    {ok, [{probe, {"dtrace", "", "", "END"}, "over"}]} = erltrace:consume(H),
    {ok, [{count, [], 5}]} = erltrace:walk(H),
    ok = erltrace:close(H).

%% Lists of characters, or binaries.
strings(_) ->
    Program = unicode:characters_to_binary("BEGIN { trace(\"grüße €\"); @[\"ключ\"] = count(); }"),
    H = start(Program),
    {ok, [{probe, _, "grüße €"}]} = erltrace:consume(H),
    {ok, [{count, ["ключ"], 1}]} = erltrace:walk(H),
    ok = erltrace:close(H),
    B = start(Program, [binary]),
    {ok, [{probe, {<<"dtrace">>, <<>>, <<>>, <<"BEGIN">>}, <<"grüße €"/utf8>>}]} = erltrace:consume(B),
    {ok, [{count, [<<"ключ"/utf8>>], 1}]} = erltrace:walk(B),
    {error, {dtrace, compile, <<_/binary>>}} = erltrace:compile(B, "BEGIN { trace(1); }"),
    ok = erltrace:close(B).

source_forms(_) ->
    {ok, H} = erltrace:open(),
    ok = erltrace:compile(H, "BEGIN { trace(1); }"),
    ok = erltrace:compile(H, <<"BEGIN { trace(2); }">>),
    ok = erltrace:compile(H, ["BEGIN { trace(", $3, <<"); }">>]),
    ok = erltrace:compile(H, {'BEGIN', [{trace, 4}]}),
    ok = erltrace:compile(H, [{'BEGIN', [{trace, 5}]}]),
    ok = erltrace:go(H),
    {ok, Records} = erltrace:consume(H),
    [1, 2, 3, 4, 5] = [V || {probe, _, V} <- Records],
    ok = erltrace:close(H),
    {ok, S} = erltrace:script("BEGIN { trace(6); }"),
    ok = erltrace:go(S),
    {ok, [{probe, _, 6}]} = erltrace:consume(S),
    ok = erltrace:close(S),
    {error, {dtrace, {1, _}, _}} = erltrace:script("BEGIN { ").

%% What is no program at all is told so, whatever it is.
no_source(_) ->
    {ok, H} = erltrace:open(),
    {error, {dtrace, compile, "nosuch is neither D source" ++ _}} = erltrace:compile(H, nosuch),
    {error, {dtrace, compile, "{nosuch,1,2,3} is neither" ++ _}} =
        erltrace:compile(H, {'BEGIN', [{nosuch, 1, 2, 3}]}),
    [{error, {dtrace, compile, _}} = erltrace:compile(H, P) || P <- [42, self(), #{}, {}, [nosuch], <<1:3>>, {'BEGIN'}]],
    ok = erltrace:compile(H, "BEGIN { trace(1); }"),
    ok = erltrace:close(H),
    {ok, B} = erltrace:open([binary]),
    {error, {dtrace, compile, <<"nosuch is", _/binary>>}} = erltrace:compile(B, nosuch),
    ok = erltrace:close(B).

arguments(_) ->
    {ok, H} = erltrace:open(),
    ok = erltrace:compile(H, "BEGIN { trace($1); trace($$2); }", [42, "two"]),
    ok = erltrace:go(H),
    {ok, [{probe, _, 42}, {probe, _, "two"}]} = erltrace:consume(H),
    ok = erltrace:close(H).

compile_errors(_) ->
    {ok, H} = erltrace:open(),
    {error, {dtrace, {2, 9}, Message}} = erltrace:compile(H, "BEGIN {\n  trace(nothing_known);\n}"),
    ?assertNotEqual(nomatch, string:find(Message, "nothing_known")),
    {error, {dtrace, {1, 1}, Unknown}} = erltrace:compile(H, "erlang*:::process-spwan { }"),
    ?assertNotEqual(nomatch, string:find(Unknown, "process-spawn")),
    %% the handle is as good as before
    ok = erltrace:compile(H, "BEGIN { trace(1); }"),
    ok = erltrace:close(H).

order_errors(_) ->
    {ok, H} = erltrace:open(),
    [{error, {dtrace, Where, "tracing was not started"}} = erltrace:Where(H) || Where <- [walk, consume, stop, aggclear]],
    {error, {dtrace, go, _}} = erltrace:go(H),
    ok = erltrace:compile(H, "BEGIN { trace(1); }"),
    ok = erltrace:go(H),
    {error, {dtrace, go, _}} = erltrace:go(H),
    ok = erltrace:close(H).

options(_) ->
    {ok, H} = erltrace:open([quiet, {bufsize, "1m"}, {"aggsize", <<"1m">>}, {nspec, 2}, {flowindent, false}]),
    ok = erltrace:setopt(H, strsize, 16),
    ok = erltrace:setopt(H, "destructive", true),
    {error, {dtrace, setopt, _}} = erltrace:setopt(H, nonsense, 1),
    {error, {dtrace, setopt, _}} = erltrace:setopt(H, bufsize, "many"),
    ok = erltrace:compile(H, "BEGIN { trace(\"0123456789abcdefghij\"); }"),
    ok = erltrace:go(H),
    {ok, [{probe, _, "0123456789abcdef"}]} = erltrace:consume(H),
    {error, {dtrace, setopt, _}} = erltrace:setopt(H, bufsize, "2m"),
    ok = erltrace:close(H),
    {error, {dtrace, setopt, _}} = erltrace:open([{nonsense, 1}]),
    {error, {dtrace, open, _}} = erltrace:open([{erltrace, "/nowhere/erltrace"}]),
    {error, {dtrace, {1, 1}, _}} = compile_with([], "erlang*:no_such_module:f/1:entry { }"),
    ok = compile_with([zdefs], "erlang*:no_such_module:f/1:entry { }"),
    ok = compile_with([cpp], "#define WHEN BEGIN\nWHEN { trace(1); }").

compile_with(Options, Program) ->
    {ok, H} = erltrace:open(Options),
    Result = erltrace:compile(H, Program),
    ok = erltrace:close(H),
    Result.

%% exit() ends tracing without anybody asking, and what was gathered is there.
exits(_) ->
    H = start("erlang*:shop:add/2:entry { @ = count(); } erlang*:shop:total/1:entry { exit(3); }"),
    shop:total(shop:fill(4)),
    wait(fun() -> erltrace_test:flags() =:= [] end),
    #{state := exited, exit_status := 3} = erltrace:status(H),
    {ok, [{count, [], 4}]} = erltrace:walk(H),
    ok = erltrace:close(H).

lists_probes(_) ->
    {ok, H} = erltrace:open(),
    {ok, All} = erltrace:list(H),
    Provider = "erlang" ++ os:getpid(),
    [?assert(lists:member(P, All)) || P <- [{"dtrace", "", "", "BEGIN"}, {Provider, "", "", "process-spawn"}]],
    {ok, [{Provider, "shop", "add/2", "entry"}]} = erltrace:list(H, "erlang*:shop:add/2:entry"),
    {ok, Some} = erltrace:list(H, <<"erlang*:shop:*:return">>),
    ["add/2", "crash/0", "fill/1", "fill/2" | _] = lists:sort([F || {_, "shop", F, "return"} <- Some]),
    ok = erltrace:close(H).

status(_) ->
    {ok, H} = erltrace:open(),
    #{state := open, unread := 0} = erltrace:status(H),
    ok = erltrace:compile(H, "BEGIN { trace(1); }"),
    ok = erltrace:go(H),
    #{state := running} = erltrace:status(H),
    ok = erltrace:stop(H),
    #{state := stopped, exit_status := 0, unread := 1} = erltrace:status(H),
    ok = erltrace:close(H).

clears(_) ->
    H = start("erlang*:shop:add/2:entry { @ = count(); }"),
    shop:fill(3),
    ok = erltrace:aggclear(H),
    ok = erltrace:walk(H),
    shop:fill(1),
    {ok, [{count, [], 1}]} = erltrace:walk(H),
    ok = erltrace:close(H).

%% The application, the command and the library are of one version.
version(_) ->
    {ok, Program} = erltrace_handle:find_program(undefined),
    Said = os:cmd(Program ++ " -V"),
    ?assertEqual(erltrace:version(), lists:last(string:lexemes(Said, " \n"))).

app_file(_) ->
    Ebin = code:lib_dir(erltrace, ebin),
    {ok, [{application, erltrace, Keys}]} = file:consult(filename:join(Ebin, "erltrace.app")),
    Beams = [list_to_atom(filename:basename(F, ".beam")) || F <- filelib:wildcard(filename:join(Ebin, "*.beam"))],
    ?assertEqual(lists:sort(Beams), lists:sort(proplists:get_value(modules, Keys))).

two_handles(_) ->
    A = start("erlang*:shop:add/2:entry { @ = count(); }"),
    shop:fill(1),
    B = start("erlang*:shop:add/2:entry { @ = count(); }"),
    shop:fill(1),
    {ok, [{count, [], 1}]} = erltrace:walk(B),
    ok = erltrace:close(B),
    shop:fill(1),
    {ok, [{count, [], 3}]} = erltrace:walk(A),
    ok = erltrace:close(A).

%% A handle may be used by others than its owner.
other_process(_) ->
    H = start("erlang*:shop:add/2:entry { @ = count(); }"),
    Self = self(),
    spawn_link(fun() -> shop:fill(2), Self ! {walked, erltrace:walk(H)} end),
    receive {walked, Walked} -> {ok, [{count, [], 2}]} = Walked after 30000 -> error(no_answer) end,
    ok = erltrace:close(H).

drops_are_told(_) ->
    H = start("erlang*:shop:add/2:entry { printf(\"%s\", \"some text that is not short at all, and takes its room\"); }",
              [{bufsize, "4k"}]),
    shop:fill(5000),
    ok = erltrace:stop(H),
    {ok, Records} = erltrace:consume(H),
    [_ | _] = Drops = [N || {drop, principal, N} <- Records],
    Printed = length([x || {printf, _, _} <- Records]),
    5000 = Printed + lists:sum(Drops),
    ok = erltrace:close(H).
