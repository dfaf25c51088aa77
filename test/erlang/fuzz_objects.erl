%% Attacks the agent and the library inside a node under load, with D objects that are changed at random and requests in
%% any order. run(Ms, Library, Files) returns {Tried, Opened, Started}. Nothing that an enemy with the cookie may send
%% must harm the node.
%%
%% api(Ms, Library, Files): the same without an agent, with many processes on the same handles at once, whose owners die
%% at any moment. Returns the number of calls.
-module(fuzz_objects).
-include("conf.hrl").

-export([run/3, api/3, conf_good/0]).

-define(attempt(E), (try E catch _:_ -> failed end)).

run(Ms, Library, Files) ->
    Objects = [begin {ok, B} = file:read_file(F), B end || F <- Files],
    {Pid, Ref} = spawn_monitor(fun() -> exit({result, loop(now_ms() + Ms, Library, Objects, {0, 0, 0})}) end),
    receive {'DOWN', Ref, process, Pid, Why} -> Why end.

now_ms() -> erlang:monotonic_time(millisecond).

loop(Until, Library, Objects, Sum) ->
    case now_ms() < Until of
        true -> loop(Until, Library, Objects, add(Sum, once(Library, Objects)));
        false -> Sum
    end.

add({A, B, C}, {D, E, F}) -> {A + D, B + E, C + F}.

once(Library, Objects) ->
    case ?attempt(erltrace_agent:start(self(), Library, [self()])) of
        {ok, Agent} ->
            Ref = monitor(process, Agent),
            Object = mutate(rand:uniform(12), one(Objects), Objects),
            Answer = ask(Agent, open(Object, conf(), one([<<>>, <<1:128>>]))),
            Opened = is_tuple(Answer) andalso element(1, Answer) =:= ok,
            Started = Opened andalso drive(rand:uniform(4), Agent),
            rand:uniform(3) =:= 1 andalso exit(Agent, kill),
            ?attempt(ask(Agent, close)),
            receive {'DOWN', Ref, _, _, _} -> ok after 30000 -> exit(agent_stays) end,
            {1, num(Opened), num(Started)};
        _ ->
            timer:sleep(5),
            {0, 0, 0}
    end.

num(true) -> 1;
num(_) -> 0.

ask(Agent, Request) ->
    Ref = monitor(process, Agent),
    Agent ! {erltrace, self(), Ref, Request},
    receive
        {Ref, Reply} -> demonitor(Ref, [flush]), Reply;
        {'DOWN', Ref, _, _, _} -> gone
    after 20000 ->
        exit({no_answer, process_info(Agent, [status, current_stacktrace])})
    end.

%% As a client does, and as no client would.
drive(1, Agent) ->
    [ask(Agent, request()) || _ <- lists:seq(1, rand:uniform(30))],
    false;
drive(_, Agent) ->
    [ask(Agent, {bind, [binding(I, names(), C)]}) || {I, C} <- bindings()],
    case ask(Agent, start) of
        {ok, _} ->
            ask(Agent, {fire, 0}),
            ask(Agent, go),
            timer:sleep(rand:uniform(30)),
            ask(Agent, work),
            timer:sleep(rand:uniform(30)),
            [ask(Agent, request()) || _ <- lists:seq(1, rand:uniform(3))],
            ask(Agent, stop),
            ask(Agent, {fire, rand:uniform(4)}),
            ask(Agent, work),
            true;
        _ ->
            false
    end.

bindings() ->
    [{10 + I, C} || I <- lists:seq(1, rand:uniform(5)), C <- lists:seq(0, rand:uniform(4))].

open(Object, Conf, Nonce) ->
    {open, #{protocol => maps:get(protocol, erltrace_agent:info()), object => Object, conf => Conf, nonce => Nonce}}.

binding(Id, Probe, Clause) ->
    #{id => Id, probe => Probe, clause => Clause, facts => facts()}.

request() ->
    case rand:uniform(24) of
        1 -> {bind, [binding(rand:uniform(100), names(), rand:uniform(4) - 1)]};
        2 -> {bind, [binding(rand:uniform(1 bsl 32) - 1, names(), rand:uniform(1 bsl 32) - 1)]};
        3 -> start;
        4 -> go;
        5 -> {fire, rand:uniform(6) - 1};
        6 -> {fire, rand:uniform(1 bsl 32) - 1};
        7 -> stop;
        8 -> work;
        9 -> open(<<"no object">>, conf(), <<>>);
        10 -> {functions, <<"fuzz_load">>, <<"?/?">>};
        11 -> {functions, fuzz_load:term(), fuzz_load:term()};
        12 -> {bind, fuzz_load:term()};
        13 -> {bind, [binding(1, {<<"erlang">>, fuzz_load:term(), <<"f/1">>, <<"entry">>}, 0)]};
        14 -> {fire, fuzz_load:term()};
        15 -> fuzz_load:term();
        16 -> status;
        17 -> {bind, [maps:remove(one([id, probe, clause, facts]), binding(1, names(), 0))]};
        18 -> {open, maps:remove(one([protocol, object, conf, nonce]), element(2, open(<<"no object">>, conf(), <<>>)))};
        19 -> {bind, [maps:put(one([id, probe, clause, facts]), fuzz_load:term(), binding(1, names(), 0))]};
        _ -> alive
    end.

%% -- the library's functions, as they come

api(Ms, Library, Files) ->
    ok = erltrace_tracer:load(Library),
    Objects = [begin {ok, B} = file:read_file(F), B end || F <- Files],
    Until = now_ms() + Ms,
    Handles = ets:new(handles, [public]),
    Tracer = {tracer, erltrace_tracer, []},
    Flags = [call, return_to, send, 'receive', procs, running_procs, garbage_collection, ports],
    erlang:trace(all, true, [Tracer | Flags]),
    [erlang:trace_pattern({fuzz_load, F, '_'}, [{'_', [], [{message, {caller}}]}], [local]) || F <- [f, g, tail]],
    erlang:trace_pattern({fuzz_load, h, 3}, [{'_', [], [{exception_trace}]}], [local]),
    Workers = [spawn_monitor(fun() -> exit({calls, callers(Until, Handles, Objects, 0)}) end) || _ <- lists:seq(1, 6)],
    Counts = [receive {'DOWN', Ref, _, P, {calls, N}} -> N; {'DOWN', Ref, _, P, Why} -> Why end || {P, Ref} <- Workers],
    erlang:trace_pattern({fuzz_load, '_', '_'}, false, [local]),
    erlang:trace(all, false, [Tracer | Flags]),
    ets:delete(Handles),
    garbage_collect(),
    {Counts, state_soon(100)}.

state_soon(N) ->
    case erltrace_tracer:state() of
        {0, _, _, _, _} = State -> State;
        State when N =:= 0 -> State;
        _ -> timer:sleep(100), state_soon(N - 1)
    end.

%% A generation: it owns what it opens, and dies.
callers(Until, Handles, Objects, Sum) ->
    case now_ms() < Until of
        true ->
            N = rand:uniform(200),
            {P, Ref} = spawn_monitor(fun() -> [any_call(Handles, Objects) || _ <- lists:seq(1, N)] end),
            rand:uniform(3) =:= 1 andalso begin timer:sleep(rand:uniform(20)), exit(P, kill) end,
            receive {'DOWN', Ref, _, _, _} -> ok end,
            callers(Until, Handles, Objects, Sum + N);
        false ->
            Sum
    end.

any_call(Handles, Objects) ->
    Key = rand:uniform(8),
    case {ets:lookup(Handles, Key), rand:uniform(35)} of
        {_, 1} -> ets:delete(Handles, Key);
        {[], _} ->
            case ?attempt(erltrace_tracer:open(mutate(rand:uniform(6), one(Objects), Objects), conf(), self())) of
                {ok, H} ->
                    ets:insert(Handles, {Key, H}),
                    [?attempt(erltrace_tracer:bind(H, 10 + I, names(), rand:uniform(3) - 1)) || I <- lists:seq(1, 3)],
                    [?attempt(subscribe(H)) || _ <- lists:seq(1, 3)];
                _ -> ok
            end;
        {[{_, H}], N} -> ?attempt(call(N, H))
    end.

call(N, H) when N =< 4 -> erltrace_tracer:start(H);
call(N, H) when N =< 7 -> erltrace_tracer:go(H);
call(8, H) -> erltrace_tracer:timers(H);
call(9, H) -> erltrace_tracer:stop(H);
call(10, H) -> erltrace_tracer:close(H);
call(N, H) when N =< 13 -> erltrace_tracer:drain(H);
call(N, H) when N =< 16 -> erltrace_tracer:snap(H);
call(17, H) -> erltrace_tracer:status(H);
call(18, H) -> erltrace_tracer:epids(H);
call(19, H) -> erltrace_tracer:wants(H);
call(20, H) -> erltrace_tracer:looks(H, rand:uniform(4) - 1);
call(21, H) -> erltrace_tracer:bind(H, rand:uniform(20), names(), rand:uniform(3) - 1);
call(22, H) -> subscribe(H);
call(23, H) -> erltrace_tracer:fire(H, rand:uniform(4) - 1);
call(24, _) -> erltrace_tracer:event(element(4, names()), self(), [fuzz_load:term(), 1, <<"x">>]);
call(25, _) -> erltrace_tracer:waits(self(), hd(erlang:ports()), none);
call(26, _) -> erltrace_tracer:ports([{P, self(), "name"} || P <- erlang:ports()] ++ [fuzz_load:term()]);
call(27, _) -> erltrace_tracer:natives([{lists, map, 2, 1}, fuzz_load:term()]);
call(28, _) -> erltrace_tracer:node(fuzz_load:term());
call(29, _) -> ?attempt(erltrace_tracer:probe(fuzz_load:term())), erltrace_tracer:probe(element(4, names()));
call(30, _) -> erltrace_tracer:own([self(), fuzz_load:term()]);
call(31, H) -> erltrace_tracer:start(H), erltrace_tracer:go(H), erltrace_tracer:timers(H), erltrace_tracer:stop(H), erltrace_tracer:state();
call(32, H) -> erltrace_tracer:may_count(H, rand:uniform(4) - 1);
call(33, H) -> erltrace_tracer:count(H, one([self(), whereis(fuzz_load), fuzz_load:term()]));
call(34, H) -> erltrace_tracer:fold(H, one([[{rand:uniform(4) - 1, one([{lists, seq, 2}, fuzz_load:term()]), one([0, 1, 1000, 1 bsl 64 - 1])}, fuzz_load:term()], fuzz_load:term()]), rand:uniform(3) - 1);
call(35, H) -> % bindings that come after it is known who reads
    erltrace_tracer:count(H, self()),
    [?attempt(erltrace_tracer:bind(H, 50 + I, names(), rand:uniform(3) - 1)) || I <- lists:seq(1, 30)],
    erltrace_tracer:start(H), erltrace_tracer:go(H), erltrace_tracer:timers(H).

subscribe(H) ->
    case names() of
        {<<"erlang">>, <<>>, _, Name} -> erltrace_tracer:subscribe(H, rand:uniform(3) - 1, Name);
        _ -> erltrace_tracer:subscribe(H, rand:uniform(3) - 1, {rand:uniform(4) - 1, fuzz_load, f, 1, rand:uniform(3) - 1})
    end.

%% What the compiler has found out about a clause.
facts() ->
    one([[], #{}, fuzz_load:term()]).

names() ->
    one([{<<"erlang">>, <<"fuzz_load">>, <<"f/1">>, <<"entry">>},
         {<<"erlang">>, <<"fuzz_load">>, <<"g/2">>, <<"return">>},
         {<<"erlang">>, <<"fuzz_load">>, <<"h/3">>, <<"exception">>},
         {<<"erlang">>, <<"fuzz_load">>, <<"tail/1">>, <<"return">>},
         {<<"dtrace">>, <<>>, <<>>, <<"ERROR">>},
         {<<"dtrace">>, <<>>, <<>>, <<"END">>},
         {<<"profile">>, <<>>, <<>>, <<"tick-1000">>},
         {<<"profile">>, <<>>, <<>>, <<"profile-997">>},
         {<<"profile">>, <<>>, <<>>, <<"tick-0">>},
         {<<"nobody">>, <<"a">>, <<"b">>, <<"c">>}
        | [{<<"erlang">>, <<>>, <<>>, N}
           || N <- [<<"message-send">>, <<"message-queued">>, <<"message-send-remote">>, <<"process-spawn">>,
                    <<"process-exit">>, <<"process-scheduled">>, <<"process-unscheduled">>, <<"process-exit_signal">>,
                    <<"process-hibernate">>, <<"request-send">>, <<"request-start">>, <<"request-reply">>, <<"request-done">>,
                    <<"gc_minor-start">>, <<"gc_major-end">>, <<"process-heap_grow">>,
                    <<"port-open">>, <<"port-command">>, <<"driver-output">>, <<"code-delete">>, <<"trace">>,
                    <<"trace_seq">>, <<"user_trace-i4s4">>, <<"user_trace-s1">>, <<"user_trace-n7">>, <<"function-entry">>,
                    <<"bif-entry">>, <<"no-such">>]]]).

conf_good() -> ?CONF.

%% Never destructive: that is allowed to do harm.
conf() ->
    Size = fun() -> one([0, 1, 7, 64, 4096, 65536, 1 bsl 20]) end,
    Frames = fun() -> one([0, 1, 100]) end,
    Fields = maps:keys(?CONF) -- [destructive],
    case rand:uniform(5) of
        1 ->
            maps:merge(maps:map(fun(_, _) -> Size() end, ?CONF),
                       #{strsize => one([9, 64, 256, 65536]), nspec => one([0, 1, 8]), bufpolicy => rand:uniform(3) - 1,
                         stackframes => Frames(), ustackframes => Frames(), jstackframes => Frames(), destructive => 0,
                         maxoverhead => one([0, 25]), maxfire => one([0, 10000000]), termbytes => one([256, 1 bsl 20]),
                         termparts => one([256, 65536]), counters => one([0, 1]), sample => one([1, 7]), countpart => one([1, 3]),
                         forward => one([0, 1, 16#ffffffffffffffff])});
        2 ->
            maps:put(one(Fields -- [jstackstrsize, maxoverhead, maxfire]), one([0, 1 bsl 16, 1 bsl 31, 1 bsl 32 - 1, 1 bsl 40, -1, x]), ?CONF);
        3 ->
            one([maps:remove(one(Fields), ?CONF), fuzz_load:term(), {}, ?CONF]);
        _ ->
            ?CONF
    end.

one(List) -> lists:nth(rand:uniform(length(List)), List).

%% -- objects

mutate(N, Object, _) when N =< 2 -> Object;
mutate(3, Object, _) -> binary:part(Object, 0, rand:uniform(byte_size(Object)));
mutate(4, Object, Objects) ->
    Other = one(Objects),
    At = rand:uniform(min(byte_size(Object), byte_size(Other))) - 1,
    <<A:At/binary, _/binary>> = Object,
    <<_:At/binary, B/binary>> = Other,
    <<A/binary, B/binary>>;
mutate(N, Object, _) ->
    lists:foldl(fun(_, O) -> change(rand:uniform(4), O) end, Object, lists:seq(1, rand:uniform(N - 4))).

change(1, Object) -> %% a bit
    At = rand:uniform(byte_size(Object)) - 1,
    <<A:At/binary, Byte, B/binary>> = Object,
    <<A/binary, (Byte bxor (1 bsl (rand:uniform(8) - 1))), B/binary>>;
change(2, Object) -> %% a byte
    At = rand:uniform(byte_size(Object)) - 1,
    <<A:At/binary, _, B/binary>> = Object,
    <<A/binary, (one([0, 1, 2, 7, 8, 127, 128, 255, rand:uniform(256) - 1])), B/binary>>;
change(3, Object) -> %% a small step
    At = rand:uniform(byte_size(Object)) - 1,
    <<A:At/binary, Byte, B/binary>> = Object,
    <<A/binary, (Byte + one([-1, 1])), B/binary>>;
change(4, Object) -> %% a number
    At = rand:uniform(byte_size(Object) - 4) - 1,
    <<A:At/binary, _:32, B/binary>> = Object,
    <<A/binary, (one([0, 1, 16#7fffffff, 16#ffffffff, rand:uniform(1 bsl 32) - 1])):32/little, B/binary>>.
