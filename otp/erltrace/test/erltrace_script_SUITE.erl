%% erltrace_script: terms to D. The compiler is the judge: what is generated must compile and mean what the terms say.
-module(erltrace_script_SUITE).
-include_lib("common_test/include/ct.hrl").
-include_lib("stdlib/include/assert.hrl").
-include_lib("proper/include/proper.hrl").

-compile([export_all, nowarn_export_all]).

all() ->
    [text, all_probes, all_actions, values, latency, bad_terms, random_scripts, random_expressions, random_strings, random_commands].

end_per_testcase(_, _) ->
    erltrace_test:finish().

d(Script) -> lists:flatten(io_lib:format("~ts", [erltrace_script:compile(Script)])).

text(_) ->
    "dtrace:::BEGIN\n{\n\ttrace(1);\n}\n" = d({'BEGIN', {trace, 1}}),
    "syscall::read:entry\n/(execname == \"beam.smp\") && (arg0 > 3)/\n{\n\t@[pid, arg0] = count();\n}\n" =
        d([{{syscall, '', read, entry}, [{execname, <<"beam.smp">>}, {'>', arg0, 3}], [{count, '', [pid, arg0]}]}]),
    "erlang*:lists:seq/2:return,\nerlang*:::process-spawn\n{\n\tself->t = (-1);\n\tprintf(\"a\\\"b\\n\");\n}\n" =
        d([{[{function, lists, seq, 2, return}, {erlang, 'process-spawn'}],
            [{set, {self, t}, -1}, {printf, "a\"b\n", []}]}]).

compiles(Script) ->
    {ok, H} = erltrace:open(),
    Result = erltrace:compile(H, Script),
    ok = erltrace:close(H),
    case Result of
        ok -> true;
        {error, {dtrace, _, Message}} -> ct:pal("~ts~n~ts", [d(Script), Message]), false
    end.

all_probes(_) ->
    ?assert(compiles([{P, [{trace, 1}]}
                      || P <- ['BEGIN', 'END', 'ERROR', {dtrace, '', "", <<"BEGIN">>}, {tick, "1s"}, {tick, 10},
                               {profile, '97hz'}, {erlang, 'gc_major-start'}, {function, shop, add, 2, entry},
                               {function, shop, '_', '_', return}, "profile:::tick-5", <<"BEGIN">>, [{tick, '1m'}, 'END']]])).

all_actions(_) ->
    ?assert(compiles(
        [{'BEGIN', {'not', {'==', {arg, 0}, 1}},
          [{trace, {'+', 1, 2}}, {printf, "%s %d\n", [<<"x">>, pid]}, {count, c, [1, <<"k">>]}, {sum, s, [], arg0},
           {avg, a, [], 1}, {min, m, [], 1}, {max, x, [], 1}, {stddev, d, [], 1}, {quantize, q, [execname], timestamp},
           {lquantize, l, [], 5, {0, 100, 10}}, {llquantize, ll, [], 5, {10, 0, 6, 10}}, {printa, c}, {printa, "%@d\n", s},
           {clear, c}, {trunc, s}, {trunc, a, 5}, {normalize, q, 1000}, {set, {this, v}, 3}, {set, g, <<"text">>},
           {set, {self, t, [pid, <<"k">>]}, timestamp}, {set, {global, arr, [1]}, {'if', {'>', 1, 2}, 3, 4}},
           {'if', {'==', {this, v}, 3}, [{trace, 1}]}, {'if', {{this, v}}, {trace, 1}, [{trace, 2}, {trace, 3}]},
           {stack, 5}, {ustack, 3}, stack, ustack, {call, stack, []}, {trace, {call, strlen, [<<"abc">>]}}, "this->x = 1",
           <<"this->y = 2">>, {exit, 0}]}])).

%% The numbers that Erlang has for the same expressions.
values(_) ->
    Pairs = [{{Op, A, B}, erlang:Op(A, B)} || Op <- ['+', '-', '*', 'div', 'rem', 'band', 'bor', 'bxor'],
                                             A <- [7, -7, 123456789], B <- [2, -3]]
        ++ [{{Op, 5, 2}, erlang:Op(5, 2)} || Op <- ['bsl', 'bsr']]
        ++ [{{Op, A, 3}, number(erlang:Op(A, 3))} || Op <- ['==', '/=', '<', '=<', '>', '>='], A <- [2, 3, 4]]
        ++ [{{'-', 5}, -5}, {{'bnot', 5}, bnot 5}, {{'not', 5}, 0}, {{'and', 1, 0}, 0}, {{'or', 1, 0}, 1}, {{'xor', 1, 1}, 0},
            {{'if', 1, 10, 20}, 10}],
    Long = {set, {this, v}, "(int64_t)0"},
    H = erltrace_test:start({'BEGIN', [Long | lists:append([[{set, {this, v}, E}, {trace, {this, v}}] || {E, _} <- Pairs])]}),
    {ok, Records} = erltrace:consume(H),
    ?assertEqual([V || {_, V} <- Pairs], [V || {probe, _, V} <- Records]),
    ok = erltrace:close(H).

number(true) -> 1;
number(false) -> 0.

%% The example of the module.
latency(_) ->
    H = erltrace_test:start(
          [{{function, lists, seq, 2, entry}, [{set, {self, t}, timestamp}]},
           {{function, lists, seq, 2, return}, {self, t},
            [{quantize, time, [probefunc], {'-', timestamp, {self, t}}},
             {set, {self, t}, 0}]}]),
    lists:seq(1, 5),
    {ok, [{quantize, ["seq/2"], [{{_, _}, 1}]}]} = erltrace:walk(H),
    ok = erltrace:close(H).

bad_terms(_) ->
    [?assertError({badscript, _}, iolist_to_binary(erltrace_script:compile(T)))
     || T <- [{}, {'BEGIN'}, {nothing, []}, {'BEGIN', {}}, {'BEGIN', {trace, 1.5}}, {'BEGIN', {trace, #{}}},
              {'BEGIN', {trace, {'++', 1, 2}}}, {'BEGIN', {set, 1, 2}}, {'BEGIN', {count, 'not a name', []}}, {'BEGIN', {'no name', a, [], 1}},
              {{function, m, f, -1, entry}, []}, {'BEGIN', {trace, 'a; exit(0)'}}, {{tick, {}}, []}]].

%% -- random ----------------------------------------------------------------------------------------------------------

check(Property) ->
    ?assert(proper:quickcheck(Property, [{numtests, 50}, {to_file, user}, quiet])).

name() -> oneof([a, b, c, dd, e_1]).

%% Not arg0 and arg1: they are addresses in process-spawn, which cannot be computed with.
expr(0) ->
    oneof([integer(), range(-(1 bsl 62), 1 bsl 62), timestamp, pid, {arg, range(2, 9)}, arg3]);
expr(N) ->
    Sub = expr(N div 2),
    oneof([expr(0),
           {oneof(['+', '-', '*', 'band', 'bor', 'bxor', '==', '/=', '<', '=<', '>', '>=', 'and', 'or', 'xor', '|', '&&']), Sub, Sub},
           {oneof(['-', 'not', 'bnot']), Sub},
           {oneof(['div', 'rem']), Sub, range(1, 1000)},
           {oneof(['bsl', 'bsr']), Sub, range(0, 63)},
           {'if', Sub, Sub, Sub},
           {Sub},
           {pid, Sub},
           {call, strlen, [string_value()]}]).

%% Of a fixed depth: what grows with the size of a test soon takes minutes to make.
expr() -> expr(6).

string_value() -> oneof([binary_text(), execname, {call, strjoin, [binary_text(), probename]}]).

binary_text() -> ?LET(L, list(range(1, 255)), list_to_binary([C || C <- L, C < 128])).

key() -> oneof([expr(), string_value()]).

%% One arity and one sort of keys for each name, as D wants it.
agg() ->
    oneof([{count, oneof([ca, cb]), [expr()]},
           {oneof([sum]), sa, [string_value(), expr()], expr()},
           {quantize, qa, [], expr()},
           {lquantize, la, [expr()], expr(), {0, 100, 10}},
           {max, '', [], expr()}]).

action(0) ->
    oneof([{trace, expr()}, {trace, string_value()}, agg(),
           {set, {this, oneof([x, y])}, expr_of_width()},
           {printf, "%d %s\n", [expr(), string_value()]}]);
action(N) ->
    oneof([action(0),
           {'if', expr(), [action(N div 2)]},
           {'if', expr(), [action(N div 2)], [action(N div 2), action(0)]}]).

short(G) -> ?LET(N, range(0, 3), vector(N, G)).

%% One type for a variable that is set twice.
expr_of_width() -> {'+', timestamp, expr()}.

clause() ->
    Probe = oneof(['BEGIN', 'END', {tick, "1s"}, {erlang, 'process-spawn'}, ['BEGIN', {tick, 5}]]),
    Actions = short(action(2)),
    oneof([{Probe, Actions}, {Probe, expr(), Actions}, {Probe, [expr(), expr()], Actions}]).

random_scripts(_) ->
    check(?FORALL(Script, ?SUCHTHAT(L, short(clause()), L =/= []), compiles(Script))).

random_expressions(_) ->
    check(?FORALL(E, expr(20), compiles({'BEGIN', {trace, E}}))).

%% A string comes back as it went in.
random_strings(_) ->
    check(?FORALL(Text, ?LET(L, list(range(1, 255)), list_to_binary(lists:sublist(L, 200))),
                  begin
                      H = erltrace_test:start({'BEGIN', {trace, Text}}, [binary]),
                      {ok, [{probe, _, Got}]} = erltrace:consume(H),
                      ok = erltrace:close(H),
                      Got =:= Text
                  end)).

%% The helper program answers whatever it is asked, and lives.
random_commands(_) ->
    {ok, Program} = erltrace_handle:find_program(undefined),
    Names = [attach, mode, setopt, compile, list, go, consume, tick, walk, aggclear, stop, status],
    Command = oneof([term(), oneof(Names), {oneof(Names), term()}, {oneof(Names), term(), term()},
                     {setopt, oneof([bufsize, <<"strsize">>, "x"]), term()}, {compile, binary(), list(term())},
                     {walk, list(oneof([names, keep, {only, list(term())}, term()]))}]),
    check(?FORALL(Commands, list(Command),
                  begin
                      Port = open_port({spawn_executable, Program},
                                       [{args, ["--port"]}, {packet, 4}, binary, nouse_stdio, exit_status]),
                      Answers = [ask(Port, Id, C) || {Id, C} <- lists:zip(lists:seq(1, length(Commands)), Commands)],
                      ask(Port, 0, close),
                      lists:all(fun(A) -> A end, Answers) andalso
                          receive {Port, {exit_status, Status}} -> Status =:= 0 after 10000 -> false end
                  end)).

ask(Port, Id, Command) ->
    port_command(Port, term_to_binary({Id, Command})),
    answered(Port, Id).

%% It may ask its agent, which there is none of.
answered(Port, Id) ->
    receive
        {Port, {data, Bytes}} ->
            case binary_to_term(Bytes) of
                {reply, Id, _} -> true;
                {request, Ref, _} -> port_command(Port, term_to_binary({Ref, {error, <<"none">>}})), answered(Port, Id)
            end;
        {Port, {exit_status, Status}} -> ct:pal("ended: ~p", [Status]), false
    after 10000 -> false
    end.
