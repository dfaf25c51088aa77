%% The lengths of message queues, for the probes mailbox-100ms, mailbox-1s and mailbox-10s. The VM does not report how
%% long a queue is, so a process looks at all of them in turn. Each that has messages, or had some the last time, is an
%% event with the length and its growth.
%%
%% A node may have a million processes. They are looked at in pieces, with a pause after each that is 19 times as long
%% as the piece took; 99 times for mailbox-10s, which is for scripts that run day and night. So this never takes more than
%% a twentieth of a scheduler, or a hundredth; with very many processes the rounds come later than the probe's name says.
-module(erltrace_mailboxes).

-export([start/3]).
-export([loop/4]).

-define(PIECE, 256).

-spec start(mailboxes, binary(), pos_integer()) -> {[pid()], []}.
start(mailboxes, Probe, Ms) ->
    {[spawn_link(?MODULE, loop, [Probe, Ms, erlang:monotonic_time(millisecond), first])], []}.

loop(Probe, Ms, Due, Before) ->
    erltrace_session:hide(),
    Now = look(processes(), Probe, pause(Ms), Before, #{}),
    loop(Probe, Ms, erltrace_gauges:wait(Due, Ms), Now).

pause(Ms) when Ms >= 10000 -> 99;
pause(_) -> 19.

%% The queues that are not empty.
look([], _, _, _, Found) ->
    Found;
look(Pids, Probe, Pause, Before, Found) ->
    From = erlang:monotonic_time(microsecond),
    {Rest, More} = piece(?PIECE, Pids, Probe, Before, Found),
    Took = erlang:monotonic_time(microsecond) - From,
    Rest =:= [] orelse timer:sleep(Pause * Took div 1000 + 1),
    look(Rest, Probe, Pause, Before, More).

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
