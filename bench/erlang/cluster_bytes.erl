%% Snapshots of a real agent: how large they are, what they cost the node, and their bytes for sim_nodes.c.
%%
%%     cluster_bytes:main(Object, Library, Keys, Values, File)
%%
%% Object: a D object whose clause 0 is keyed by the first argument of one/2 and takes the second.
-module(cluster_bytes).
-include("../../test/erlang/conf.hrl").
-export([main/5, one/2]).

-define(TURNS, 20).

one(_Key, _Value) -> ok.

main(File, Library, Keys, Values, Out) ->
    {ok, Object} = file:read_file(File),
    {ok, Agent} = erltrace_agent:start(self(), Library),
    #{protocol := Protocol} = erltrace_agent:info(),
    Conf = (?CONF)#{strsize => 257, aggsize => 64 bsl 20, counters => 0},
    {ok, _} = ask(Agent, {open, #{protocol => Protocol, object => Object, conf => Conf, nonce => <<>>}}),
    {ok, _} = ask(Agent, {bind, [#{id => 1, probe => {<<"erlang">>, <<"cluster_bytes">>, <<"one/2">>, <<"entry">>},
                                   clause => 0, facts => []}]}),
    {ok, _} = ask(Agent, start),
    {ok, _} = ask(Agent, go),
    Names = [list_to_atom(lists:flatten(io_lib:format("n0000_key_~5..0b", [K]))) || K <- lists:seq(1, Keys)],
    Times = [begin
                 spawn_monitor(fun() -> [one(N, 1 bsl V) || N <- Names, V <- lists:seq(1, Values)] end),
                 receive {'DOWN', _, _, _, normal} -> ok end,
                 From = erlang:monotonic_time(microsecond),
                 #{aggregations := Bytes, status := #{drops := Drops}} = ask(Agent, work),
                 Time = erlang:monotonic_time(microsecond) - From,
                 0 = map_size(Drops),
                 put(bytes, Bytes),
                 Time
             end || _ <- lists:seq(1, ?TURNS)],
    Merges = merges(Agent, get(bytes)),
    ok = ask(Agent, close),
    ok = file:write_file(Out, get(bytes)),
    #{keys => Keys, buckets => Values, bytes => byte_size(get(bytes)), us => middle(Times), merge_us => middle(Merges)}.

middle(Times) -> lists:nth(?TURNS div 2, lists:sort(Times)).

%% How long it takes an agent to merge such snapshots of eight others, which are there at once.
merges(Agent, Bytes) ->
    Others = [spawn_link(fun() -> other(Bytes) end) || _ <- lists:seq(1, 8)],
    [begin
         From = erlang:monotonic_time(microsecond),
         {ok, #{aggregations := Merged}} = ask(Agent, {merge, 1 bsl 60, 10000, [{P, 0, []} || P <- Others]}),
         true = byte_size(Merged) =:= byte_size(Bytes),
         erlang:monotonic_time(microsecond) - From
     end || _ <- lists:seq(1, ?TURNS)].

other(Bytes) ->
    receive {erltrace_below, Alias, Ref, _} -> Alias ! {Ref, {ok, #{'of' => [1], aggregations => Bytes}}}, other(Bytes) end.

ask(Agent, Request) ->
    Ref = make_ref(),
    Agent ! {erltrace, self(), Ref, Request},
    receive {Ref, Reply} -> Reply end.
