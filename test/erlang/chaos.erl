%% Random work for a node that must survive: random terms everywhere, random scripts, damaged D objects.
-module(chaos).
-include("conf.hrl").
-export([terms/1, any/1, both/2, objects/4]).

-define(attempt(E), (try E catch _:_ -> failed end)).

%% N processes that send, call with, exit with and register random terms, without end.
terms(N) ->
    [spawn(fun() -> rand:seed(exsss, {I, I, I}), turn() end) || I <- lists:seq(1, N)],
    ok.

turn() ->
    T = term(4),
    ?attempt(any(T)),
    ?attempt(both(T, term(2))),
    spawn(fun() -> exit(T) end),
    {P, R} = spawn_monitor(fun() -> receive X -> exit(X) end end),
    P ! T,
    receive {_, R, _, P, _} -> ok end,
    turn().

any(T) -> {T}.

both(X, Y) when X > Y -> error({X, Y});
both(X, _) -> X.

term(0) -> leaf();
term(Depth) ->
    case rand:uniform(8) of
        1 -> list_to_tuple([term(Depth - 1) || _ <- lists:seq(1, rand:uniform(6) - 1)]);
        2 -> [term(Depth - 1) || _ <- lists:seq(1, rand:uniform(6) - 1)];
        3 -> [term(Depth - 1) | term(Depth - 1)];
        4 -> maps:from_list([{term(Depth - 1), term(Depth - 1)} || _ <- lists:seq(1, rand:uniform(40) - 1)]);
        5 -> T = term(Depth - 1), fun() -> T end;
        _ -> leaf()
    end.

leaf() ->
    case rand:uniform(16) of
        1 -> rand:uniform(1 bsl 59);
        2 -> -(1 bsl rand:uniform(2000));
        3 -> rand:normal() * 1.0e100;
        4 -> list_to_atom([rand:uniform(255) || _ <- lists:seq(1, rand:uniform(3))]);
        5 -> '';
        6 -> rand:bytes(rand:uniform(300));
        7 -> <<(rand:uniform(127)):7>>;
        8 -> self();
        9 -> make_ref();
        10 -> hd(erlang:ports());
        11 -> fun lists:map/2;
        12 -> [];
        13 -> "text";
        14 -> lists:seq(1, rand:uniform(100));
        15 -> binary:part(rand:bytes(200), 50, rand:uniform(100));
        16 -> {}
    end.

%% Damages the objects at random and runs those that still pass the verifier, for this many seconds.
objects(Library, Files, Seconds, Seed) ->
    rand:seed(exsss, {Seed, 2, 3}),
    Objects = [begin {ok, B} = file:read_file(F), B end || F <- Files],
    End = erlang:monotonic_time(millisecond) + Seconds * 1000,
    objects(Library, Objects, End, 0, 0).

objects(Library, Objects, End, Tried, Ran) ->
    %% on a busy machine: goes on for a while until one has run
    Late = erlang:monotonic_time(millisecond) - End,
    case Late > 60000 orelse Late > 0 andalso Ran > 0 of
        true ->
            {tried, Tried, ran, Ran};
        false ->
            Object = damage(lists:nth(rand:uniform(length(Objects)), Objects)),
            Did = run(Library, Object),
            objects(Library, Objects, End, Tried + 1, Ran + Did)
    end.

damage(Object) ->
    lists:foldl(
        fun(_, Acc) ->
                At = rand:uniform(byte_size(Acc)) - 1,
                <<A:At/binary, Old, B/binary>> = Acc,
                New = case rand:uniform(3) of
                          1 -> rand:uniform(256) - 1;
                          2 -> Old bxor (1 bsl (rand:uniform(8) - 1));
                          3 -> Old + 1
                      end,
                <<A/binary, New, B/binary>>
        end,
        Object,
        lists:seq(1, rand:uniform(4) - 1)).

run(Library, Object) ->
    {ok, Agent} = erltrace_agent:start(self(), Library),
    #{protocol := Protocol} = erltrace_agent:info(),
    Did = case ask(Agent, {open, #{protocol => Protocol, object => Object, conf => ?CONF, nonce => rand:bytes(16)}}) of
              {ok, _} ->
                  Probes = [<<"message-send">>, <<"message-queued">>, <<"process-exit">>, <<"process-spawn">>,
                            <<"process-scheduled">>, <<"gc_minor-end">>],
                  Bindings = [#{id => Id, probe => {<<"erlang1">>, <<>>, <<>>, Name}, clause => C, facts => []}
                              || {Id, Name} <- lists:zip(lists:seq(10, 15), Probes), C <- [0, 1, 2]]
                      ++ [#{id => 20 + I, probe => {<<"erlang1">>, <<"chaos">>, F, K}, clause => C, facts => []}
                          || {I, F, K} <- [{0, <<"any/1">>, <<"entry">>}, {1, <<"any/1">>, <<"return">>},
                                           {2, <<"both/2">>, <<"entry">>}, {3, <<"both/2">>, <<"exception">>}],
                             C <- [0, 1, 2, 3]],
                  case ask(Agent, {bind, Bindings}) of
                      {ok, _} ->
                          ask(Agent, start),
                          ask(Agent, go),
                          timer:sleep(rand:uniform(5)),
                          #{exiting := _} = ask(Agent, status),
                          ask(Agent, work),
                          rand:uniform(2) =:= 1 andalso ask(Agent, stop),
                          1;
                      _ ->
                          0
                  end;
              _ ->
                  0
          end,
    Ref = erlang:monitor(process, Agent),
    case rand:uniform(2) of
        1 -> ask(Agent, close);
        2 -> exit(Agent, kill)
    end,
    receive {'DOWN', Ref, _, _, _} -> ok end,
    Did.

ask(Agent, Request) ->
    Ref = make_ref(),
    Mon = erlang:monitor(process, Agent),
    Agent ! {erltrace, self(), Ref, Request},
    receive
        {Ref, Reply} -> erlang:demonitor(Mon, [flush]), Reply;
        {'DOWN', Mon, _, _, Why} -> {error, Why}
    end.
