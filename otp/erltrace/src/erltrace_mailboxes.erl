%% The lengths of message queues, for the probes mailbox-100ms, mailbox-1s and mailbox-10s. The VM does not report how
%% long a queue is, so a process looks at all of them in turn. Each that has messages, or had some the last time, is an
%% event with the length and its growth.
%%
%% A node may have a million processes. They are looked at in pieces, with a pause after each that is 19 times as long
%% as the piece took. So this never takes more than a twentieth of a scheduler; with very many processes the rounds come
%% later than the probe's name says.
-module(erltrace_mailboxes).

-export([new/0, update/2, processes/1]).
-export([init/2]).
-export_type([state/0]).

-define(PIECE, 256).
-define(PAUSE, 19).
-define(RATES, [{mailbox_100ms, 100, <<"mailbox-100ms">>}, {mailbox_1s, 1000, <<"mailbox-1s">>},
                {mailbox_10s, 10000, <<"mailbox-10s">>}]).

-opaque state() :: #{atom() => pid()}.

-spec new() -> state().
new() ->
    #{}.

%% One process for each rate that a script wants.
-spec update([term()], state()) -> state().
update(Wants, S) ->
    lists:foldl(fun({Want, Ms, Probe}, Acc) -> set(lists:member(Want, Wants), Want, Ms, Probe, Acc) end, S, ?RATES).

-spec processes(state()) -> [pid()].
processes(S) ->
    maps:values(S).

set(true, Want, Ms, Probe, S) when not is_map_key(Want, S) ->
    S#{Want => spawn_link(?MODULE, init, [Ms, Probe])};
set(false, Want, _, _, S) when is_map_key(Want, S) ->
    P = maps:get(Want, S),
    Ref = erlang:monitor(process, P),
    unlink(P),
    exit(P, kill),
    %% its code may be about to be removed
    receive {'DOWN', Ref, process, _, _} -> ok end,
    maps:remove(Want, S);
set(_, _, _, _, S) ->
    S.

init(Ms, Probe) ->
    loop(Ms, Probe, erlang:monotonic_time(millisecond), first).

loop(Ms, Probe, Due, Before) ->
    Now = look(processes(), Probe, Before, #{}),
    Next = max(Due + Ms, erlang:monotonic_time(millisecond)),
    timer:sleep(max(0, Next - erlang:monotonic_time(millisecond))),
    loop(Ms, Probe, Next, Now).

%% The queues that are not empty.
look([], _, _, Found) ->
    Found;
look(Pids, Probe, Before, Found) ->
    From = erlang:monotonic_time(microsecond),
    {Rest, More} = piece(?PIECE, Pids, Probe, Before, Found),
    Took = erlang:monotonic_time(microsecond) - From,
    Rest =:= [] orelse timer:sleep(?PAUSE * Took div 1000 + 1),
    look(Rest, Probe, Before, More).

piece(N, [Pid | Rest], Probe, Before, Found) when N > 0 ->
    Length = case process_info(Pid, message_queue_len) of
                 {message_queue_len, L} -> L;
                 undefined -> 0
             end,
    %% before the first look its growth is unknown
    Grown = case Before of
                first -> 0;
                #{Pid := Then} -> Length - Then;
                _ -> Length
            end,
    (Length =/= 0 orelse Grown =/= 0) andalso erltrace_tracer:event(Probe, Pid, [Pid, Length, Grown]),
    piece(N - 1, Rest, Probe, Before, case Length of 0 -> Found; _ -> Found#{Pid => Length} end);
piece(_, Rest, _, _, Found) ->
    {Rest, Found}.
