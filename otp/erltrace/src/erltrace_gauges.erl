%% What no event tells and has to be looked at: probes that fire at an interval, such as mailbox-1s. For each that a
%% script wants, a process looks again and again, and fires it (erltrace_tracer:event/3). Nothing runs for the others.
%% All these processes belong to the hub and end with it.
%%
%% A row is what the probe wants (.atoms in src/provider/erlang_probes.h), its name, the interval in ms, which
%% function begins to look, and at what.
-module(erltrace_gauges).

-export([new/0, update/2, processes/1, wait/2]).
-export_type([state/0]).

-define(GAUGES, [{mailbox_100ms, <<"mailbox-100ms">>, 100, fun erltrace_mailboxes:start/3, mailboxes},
                 {mailbox_1s, <<"mailbox-1s">>, 1000, fun erltrace_mailboxes:start/3, mailboxes},
                 {mailbox_10s, <<"mailbox-10s">>, 10000, fun erltrace_mailboxes:start/3, mailboxes},
                 {scheduler_100ms, <<"scheduler-100ms">>, 100, fun erltrace_vm:start/3, schedulers},
                 {scheduler_1s, <<"scheduler-1s">>, 1000, fun erltrace_vm:start/3, schedulers},
                 {scheduler_10s, <<"scheduler-10s">>, 10000, fun erltrace_vm:start/3, schedulers},
                 {run_delay_100ms, <<"run_delay-100ms">>, 100, fun erltrace_vm:start/3, delays},
                 {run_delay_1s, <<"run_delay-1s">>, 1000, fun erltrace_vm:start/3, delays},
                 {run_delay_10s, <<"run_delay-10s">>, 10000, fun erltrace_vm:start/3, delays},
                 {carriers_1s, <<"carriers-1s">>, 1000, fun erltrace_vm:start/3, carriers},
                 {carriers_10s, <<"carriers-10s">>, 10000, fun erltrace_vm:start/3, carriers},
                 {limits_1s, <<"limits-1s">>, 1000, fun erltrace_vm:start/3, limits},
                 {limits_10s, <<"limits-10s">>, 10000, fun erltrace_vm:start/3, limits}]).

%% The processes of each gauge that is on.
-opaque state() :: #{atom() => [pid()]}.

-spec new() -> state().
new() ->
    #{}.

%% Notes say what is not possible, and which wants that concerns.
-spec update([term()], state()) -> {state(), [{[atom()], binary()}]}.
update(Wants, S) ->
    lists:foldl(
        fun({Want, Probe, Ms, Start, What}, {S0, Notes}) ->
                case {lists:member(Want, Wants), S0} of
                    {true, #{Want := [_ | _]}} ->
                        {S0, Notes};
                    {true, _} ->
                        {Pids, More} = Start(What, Probe, Ms),
                        {S0#{Want => Pids}, [{[Want], Note} || Note <- More] ++ Notes};
                    {false, #{Want := Pids}} ->
                        lists:foreach(fun stop/1, Pids),
                        {maps:remove(Want, S0), Notes};
                    {false, _} ->
                        {S0, Notes}
                end
        end,
        {S, []},
        ?GAUGES).

-spec processes(state()) -> [pid()].
processes(S) ->
    lists:append(maps:values(S)).

stop(P) ->
    Ref = erlang:monitor(process, P),
    unlink(P),
    exit(P, kill),
    %% its code may be about to be removed
    receive {'DOWN', Ref, process, _, _} -> ok end.

%% Waits until the next look is due, and returns when that was. A look that took too long delays all that follow.
-spec wait(integer(), pos_integer()) -> integer().
wait(Due, Ms) ->
    Next = max(Due + Ms, erlang:monotonic_time(millisecond)),
    timer:sleep(max(0, Next - erlang:monotonic_time(millisecond))),
    Next.
