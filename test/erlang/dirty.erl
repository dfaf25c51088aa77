%% Processes that spend their time on dirty schedulers, and scripts that start and stop beside them: see tst.dirty.sh.
-module(dirty).
-include("conf.hrl").
-export([start/1, stop/0, cycles/3]).

start(N) ->
    {ok, _} = application:ensure_all_started(crypto),
    Pids = [spawn(loop(I rem 4)) || I <- lists:seq(1, N)],
    register(dirty, spawn(fun() -> receive stop -> [exit(P, kill) || P <- Pids] end end)),
    ok.

stop() ->
    dirty ! stop,
    ok.

loop(0) -> fun Loop() -> prim_file:read_file_info("/"), Loop() end;
loop(1) -> Data = binary:copy(<<"erltrace">>, 8192), fun Loop() -> crypto:hash(sha, Data), Loop() end;
loop(2) -> fun Loop() -> prim_file:read_file("/proc/self/stat"), Loop() end;
loop(3) -> List = lists:seq(1, 300000), fun Loop() -> garbage_collect(), _ = length(List), Loop() end.

%% Runs this many scripts, one after the other. Returns how many ran.
cycles(Library, File, N) ->
    {ok, Object} = file:read_file(File),
    cycle(Library, Object, N, 0).

cycle(_, _, 0, Ran) -> Ran;
cycle(Library, Object, N, Ran) ->
    {ok, Agent} = erltrace_agent:start(self(), Library, [self()]),
    #{protocol := Protocol} = erltrace_agent:info(),
    {ok, _} = ask(Agent, {open, #{protocol => Protocol, object => Object, conf => ?CONF, nonce => <<>>}}),
    {ok, _} = ask(Agent, {bind, [#{id => Id, probe => {<<"erlang1">>, <<>>, <<>>, Name}, clause => 0, facts => []}
                                 || {Id, Name} <- [{10, <<"process-scheduled">>}, {11, <<"process-unscheduled">>},
                                                   {12, <<"gc_major-end">>}, {13, <<"message-send">>}]]}),
    {ok, _} = ask(Agent, start),
    {ok, _} = ask(Agent, go),
    receive after rand:uniform(4) -> ok end,
    #{aggregations := Snap} = ask(Agent, work),
    ok = ask(Agent, stop),
    ok = ask(Agent, close),
    cycle(Library, Object, N - 1, Ran + min(1, byte_size(Snap) div 16)).

ask(Agent, Request) ->
    Ref = make_ref(),
    Agent ! {erltrace, self(), Ref, Request},
    receive {Ref, Reply} -> Reply after 60000 -> {no_answer, Request} end.
