%% A node's life at random: what traced programs do, with terms of every kind. start(N) starts N processes that go on
%% until stop(). Arguments of f/1, g/2 and h/3 and messages are random terms. Nothing that is done here may harm the
%% node.
-module(fuzz_load).

-export([start/1, stop/0, rounds/0, now/0, term/0, counted/1, count/1]).
-compile({no_auto_import, [now/0]}).
-export([f/1, g/2, h/3, tail/1, sleeper/0, quiet/0]).

-define(attempt(E), (try E catch _:_ -> failed end)).

start(N) ->
    %% crashes are expected
    logger:set_primary_config(level, none),
    persistent_term:put({?MODULE, long}, lists:seq(1, 200000)),
    persistent_term:put({?MODULE, binary}, binary:copy(<<"0123456789abcdef">>, 1 bsl 19)),
    persistent_term:put({?MODULE, map}, maps:from_list([{K, {K}} || K <- lists:seq(1, 5000)])),
    persistent_term:put({?MODULE, rounds}, counters:new(1, [])),
    Port = open_port({spawn, "true"}, []),
    ?attempt(port_close(Port)),
    persistent_term:put({?MODULE, port}, Port),
    persistent_term:put({?MODULE, dead}, spawn(fun() -> ok end)),
    Parent = spawn(fun() -> register(?MODULE, self()), keep([spawn_opt(fun begin_run/0, [monitor]) || _ <- lists:seq(1, N)]) end),
    {ok, Parent}.

stop() ->
    case whereis(?MODULE) of
        undefined -> ok;
        Pid -> Ref = monitor(process, Pid), Pid ! stop, receive {'DOWN', Ref, _, _, _} -> ok end
    end.

%% How much was done: it must keep growing.
rounds() ->
    counters:get(persistent_term:get({?MODULE, rounds}), 1).

%% What those do who do it, for when it does not.
now() ->
    [process_info(P, [status, current_stacktrace, message_queue_len, suspending])
     || P <- processes(), {dictionary, D} <- [process_info(P, dictionary)], lists:keymember(?MODULE, 1, D)].

%% One that dies is replaced.
keep(Workers) ->
    receive
        stop -> [exit(P, kill) || {P, _} <- Workers];
        {'DOWN', Ref, process, _, _} -> keep([spawn_opt(fun begin_run/0, [monitor]) | lists:keydelete(Ref, 2, Workers)])
    end.

begin_run() ->
    put(?MODULE, works),
    run().

run() ->
    process_flag(trap_exit, rand:uniform(2) =:= 1),
    counters:add(persistent_term:get({?MODULE, rounds}), 1, 1),
    ?attempt(act(rand:uniform(32))),
    receive _ -> ok after 0 -> ok end,
    run().

%% For exact numbers.
counted(X) -> X.
count(0) -> ok;
count(N) -> counted(N), count(N - 1).

f(X) -> X.
g(X, Y) -> {X, Y}.
h(1, _, Z) -> error(Z);
h(2, _, Z) -> throw(Z);
h(3, _, Z) -> exit(Z);
h(_, Y, Z) -> [Y | Z].
tail(0) -> ok;
tail(N) -> tail(N - 1).
sleeper() -> receive _ -> ok after 10 -> ok end.
quiet() -> ok.

act(N) when N =< 6 -> f(term());
act(N) when N =< 9 -> g(term(), term());
act(10) -> ?attempt(h(rand:uniform(4), term(), term()));
act(11) -> tail(1000);
act(12) -> self() ! term(), receive _ -> ok end, self() ! {'$gen_call', {self(), term()}, term()}, receive _ -> ok end, self() ! {term(), term()}, receive _ -> ok end;
act(13) -> P = spawn(fun() -> receive _ -> ok after 5 -> ok end end), P ! term(), P ! {self(), term()};
act(14) -> spawn(fun() -> exit(term()) end);
act(15) -> spawn_link(fun() -> error(term()) end);
act(16) -> spawn(?MODULE, sleeper, []);
act(17) -> garbage_collect();
act(18) -> lists:foldl(fun(X, Acc) -> [{X, Acc} | []] end, [], lists:seq(1, 20000)), ok;
act(19) ->
    T = ets:new(t, []),
    ets:insert(T, {term(), 1}),
    ets:delete(T);
act(20) -> erlang:send_after(1, self(), term()), receive _ -> ok after 3 -> ok end;
act(21) ->
    case rand:uniform(20) of
        1 ->
            P = open_port({spawn, "cat"}, [binary, stream]),
            ?attempt(port_command(P, io())),
            ?attempt(P ! {self(), {command, io()}}),
            ?attempt(erlang:port_control(P, 1, io())),
            ?attempt(P ! {self(), {connect, pid()}}),
            ?attempt(port_close(P));
        _ ->
            ok
    end;
act(22) ->
    P = spawn(fun() -> receive _ -> ok end end),
    ?attempt(exit(P, term())),
    ?attempt(exit(pid(), term()));
act(23) ->
    P = spawn(fun() -> receive _ -> ok after 20 -> ok end end),
    ?attempt(register(fuzz_name, P)),
    ?attempt(fuzz_name ! term()),
    ?attempt(fuzz_other ! term()),
    ?attempt({fuzz_name, node()} ! term()),
    ?attempt(unregister(fuzz_name));
act(24) -> P = spawn(fun sleeper/0), link(P), unlink(P);
%% refused, but traced before that
act(25) -> ?attempt(erlang:delete_module(term()));
act(26) ->
    P = spawn(fun() -> ?attempt(erlang:hibernate(term(), term(), term())) end),
    timer:sleep(1),
    exit(P, kill);
act(27) -> ?attempt(erlang:exit(term(), term()));
act(28) -> ?attempt(erts_internal:purge_module(term(), complete));
act(29) ->
    case ?attempt(binary_to_term(term_to_binary(term()))) of
        X -> g(X, self())
    end;
act(30) ->
    seq_trace:set_token(label, term()),
    seq_trace:set_token(send, true),
    seq_trace:set_token('receive', true),
    seq_trace:set_token(print, true),
    self() ! term(),
    receive _ -> ok after 0 -> ok end,
    seq_trace:print(label, term()),
    seq_trace:set_token([]);
act(31) ->
    [?attempt(apply(erltrace_tracer, F, [term() || _ <- lists:seq(1, A)]))
     || {F, A} <- [{user_trace_s1, 1}, {user_trace_i4s4, 9}, {user_trace_n, 10}], erlang:function_exported(erltrace_tracer, F, A)];
act(32) ->
    case rand:uniform(50) of
        1 -> reload();
        _ -> file:read_file_info("/")
    end.

%% A module comes and goes.
reload() ->
    Forms = [{attribute, 1, module, fuzz_gone}, {attribute, 1, export, [{a, 1}]},
             {function, 1, a, 1, [{clause, 1, [{var, 1, 'X'}], [], [{tuple, 1, [{var, 1, 'X'}, {integer, 1, rand:uniform(1000)}]}]}]}],
    {ok, M, Code} = compile:forms(Forms),
    code:purge(M),
    {module, M} = code:load_binary(M, "fuzz_gone.erl", Code),
    ?attempt(M:a(term())),
    code:purge(M),
    code:delete(M),
    code:purge(M).

%% -- terms

term() -> term(rand:uniform(6)).

term(0) -> leaf(rand:uniform(15));
term(Depth) ->
    case rand:uniform(40) of
        1 -> [term(Depth - 1) || _ <- lists:seq(1, rand:uniform(8))];
        2 -> [term(Depth - 1) | term(Depth - 1)];
        3 -> list_to_tuple([term(Depth - 1) || _ <- lists:seq(1, rand:uniform(6))]);
        4 -> maps:from_list([{term(Depth - 1), term(Depth - 1)} || _ <- lists:seq(1, rand:uniform(5))]);
        5 -> X = term(Depth - 1), fun(Y) -> {X, Y} end;
        6 -> deep(rand:uniform(3000), leaf(rand:uniform(15)));
        7 -> {ok, term(Depth - 1)};
        8 -> {term(Depth - 1), persistent_term:get({?MODULE, long})};
        9 -> {persistent_term:get({?MODULE, binary}), term(Depth - 1)};
        10 -> [persistent_term:get({?MODULE, map}), term(Depth - 1)];
        N when N =< 20 -> [term(Depth - 1), {N, term(Depth - 1)}];
        N when N =< 26 -> #{N => term(Depth - 1), id => term(Depth - 1), <<"name">> => term(Depth - 1)};
        _ -> leaf(rand:uniform(15))
    end.

deep(0, X) -> X;
deep(N, X) when N rem 3 =:= 0 -> deep(N - 1, [X]);
deep(N, X) when N rem 3 =:= 1 -> deep(N - 1, {N, X});
deep(N, X) -> deep(N - 1, #{N => X}).

leaf(1) -> rand:uniform(1 bsl 30) - (1 bsl 29);
leaf(2) -> (1 bsl rand:uniform(5000)) * (1 - 2 * rand:uniform(2));
leaf(3) -> math:pow(10, rand:uniform(600) - 300) * (rand:uniform() - 0.5);
leaf(4) -> lists:nth(rand:uniform(8), [ok, '', 'Odd one', 'it\'s', 'caf\x{e9}', '\x{4e2d}\x{6587}', '\n\t"', true]);
leaf(5) -> bytes(rand:uniform(100));
leaf(6) -> B = bytes(80), N = rand:uniform(600), <<B:N/bits>>;
%% a binary whose bytes are not aligned to bytes
leaf(7) -> <<_:3, B/bits>> = bytes(100), <<C:90/binary, _/bits>> = B, C;
leaf(8) -> pid();
leaf(9) -> make_ref();
leaf(10) -> persistent_term:get({?MODULE, port});
leaf(11) -> fun lists:map/2;
leaf(12) -> "a string " ++ [rand:uniform(255)];
leaf(13) -> [];
leaf(14) -> lists:duplicate(rand:uniform(5000), $x);
leaf(15) -> self().

pid() ->
    case rand:uniform(3) of
        1 -> self();
        2 -> persistent_term:get({?MODULE, dead});
        %% of a node that never existed
        3 -> binary_to_term(<<131, 88, 100, 0, 9, "nobody@no", 0, 0, 0, 38, 0, 0, 0, 0, 0, 0, 0, 1>>)
    end.

io() ->
    case rand:uniform(4) of
        1 -> <<"bytes">>;
        2 -> [[<<"deep">>, [$a | <<"tail">>]], 10];
        3 -> lists:duplicate(rand:uniform(30000), [<<"many">>, 1]);
        4 -> term()
    end.

bytes(N) ->
    << <<(rand:uniform(256) - 1)>> || _ <- lists:seq(1, N) >>.
