%% What tracing costs: measured, and as the meter in the node estimates it. In ns per operation, on a node with one
%% scheduler.
-module(cost).
-include("conf.hrl").
-export([of_kind/3, kinds/0, down/1, one/0, floats/1]).

-define(SLICES, 25).

%% Operations of a slice: some milliseconds.
kinds() ->
    [{call, 20000}, {return, 8000}, {send, 10000}, {queued, 10000}, {spawn, 1500}, {exit, 1500}, {scheduled, 8000}, {unscheduled, 8000}, {switch, 8000},
     {gc, 2000}, {counted, 400000}, {text, 60}].

%% {Measured, Estimated}, with a D object whose first clause counts, and the library.
of_kind(Kind, File, Library) ->
    {Kind, N} = lists:keyfind(Kind, 1, kinds()),
    {ok, Object} = file:read_file(File),
    Me = self(),
    spawn_opt(fun() -> Me ! {costs, measure(Kind, N, Object, Library)} end, [link, {min_heap_size, 100000}]),
    receive {costs, Costs} -> Costs end.

measure(Kind, N, Object, Library) ->
    Before = slices(Kind, N),
    {ok, Agent} = erltrace_agent:start(self(), Library),
    #{protocol := Protocol} = erltrace_agent:info(),
    {ok, _} = ask(Agent, {open, #{protocol => Protocol, object => Object, conf => conf(Kind), nonce => <<>>}}),
    {ok, _} = ask(Agent, {bind, bindings(Kind)}),
    {ok, _} = ask(Agent, start),
    {ok, _} = ask(Agent, go),
    slice(Kind, N),
    From = spent(Agent),
    During = slices(Kind, N),
    Spent = spent(Agent) - From,
    ask(Agent, close),
    After = slices(Kind, N),
    {(low(During) - min(low(Before), low(After))) div N, Spent div (?SLICES * N)}.

bindings(Kind) when Kind =:= call; Kind =:= counted -> [function(1, <<"entry">>)];
bindings(return) -> [function(1, <<"entry">>), function(2, <<"return">>)];
bindings(text) -> [binding(1, {<<"erlang">>, <<"cost">>, <<"floats/1">>, <<"entry">>})];
bindings(switch) -> [probe(1, <<"process-scheduled">>), probe(2, <<"process-unscheduled">>)];
bindings(gc) -> [probe(1, <<"gc_minor-start">>), probe(2, <<"gc_minor-end">>)];
bindings(Kind) ->
    [probe(1, maps:get(Kind, #{send => <<"message-send">>, queued => <<"message-queued">>, spawn => <<"process-spawn">>, exit => <<"process-exit">>,
                               scheduled => <<"process-scheduled">>, unscheduled => <<"process-unscheduled">>}))].

function(Id, Name) -> binding(Id, {<<"erlang">>, <<"cost">>, <<"one/0">>, Name}).
probe(Id, Name) -> binding(Id, {<<"erlang">>, <<>>, <<>>, Name}).

binding(Id, Probe) -> #{id => Id, probe => Probe, clause => 0, facts => []}.

%% Long text, so that making it is nearly all of the event.
conf(text) -> maps:merge(?CONF, #{strsize => 4096, counters => 0, aggsize => 1048576});
conf(Kind) -> maps:put(counters, counters(Kind), ?CONF).

%% Whether the VM may count calls itself, without events.
counters(counted) -> 1;
counters(_) -> 0.

ask(Agent, Request) ->
    Ref = make_ref(),
    Agent ! {erltrace, self(), Ref, Request},
    receive {Ref, Reply} -> Reply end.

%% The first request reads counters of the VM, and the second has their cost.
spent(Agent) ->
    ask(Agent, work),
    #{status := #{spent := Spent}} = ask(Agent, work),
    Spent.

%% A slice that was hardly disturbed.
low(Slices) ->
    lists:nth(?SLICES div 5, lists:sort(Slices)).

slices(Kind, N) ->
    [slice(Kind, N) || _ <- lists:seq(1, ?SLICES)].

%% ns of the scheduler's thread.
slice(Kind, N) ->
    From = ran(),
    work(Kind, N),
    ran() - From.

ran() ->
    {ok, Text} = file:read_file(file()),
    binary_to_integer(hd(binary:split(Text, <<" ">>))).

file() ->
    case get(file) of
        undefined ->
            [File | _] = [filename:join([Folder, "schedstat"])
                          || Folder <- filelib:wildcard("/proc/" ++ os:getpid() ++ "/task/*"),
                             {ok, Name} <- [file:read_file(filename:join(Folder, "comm"))],
                             lists:member(Name, [<<"1_scheduler\n">>, <<"erts_sched_1\n">>])],
            put(file, File),
            File;
        File -> File
    end.

work(call, N) -> calls(N);
work(return, N) -> calls(N);
work(counted, N) -> calls(N);
work(Kind, N) when Kind =:= send; Kind =:= queued -> sends(N);
work(Kind, N) when Kind =:= spawn; Kind =:= exit -> spawns(N);
work(text, N) -> shows([math:sqrt(X) || X <- lists:seq(2, 400)], N);
work(gc, N) -> collections(N);
work(_, N) -> turns(N).

calls(0) -> ok;
calls(N) -> one(), calls(N - 1).

one() -> ok.

shows(_, 0) -> ok;
shows(L, N) -> ?MODULE:floats(L), shows(L, N - 1).

floats(_) -> ok.

sends(0) -> ok;
sends(N) -> self() ! x, receive x -> sends(N - 1) end.

spawns(0) -> ok;
spawns(N) ->
    {_, Ref} = spawn_monitor(?MODULE, down, [x]),
    receive {'DOWN', Ref, _, _, _} -> spawns(N - 1) end.

down(_) -> ok.

turns(0) -> ok;
turns(N) -> erlang:yield(), turns(N - 1).

collections(0) -> ok;
collections(N) -> erlang:garbage_collect(self(), [{type, minor}]), collections(N - 1).
