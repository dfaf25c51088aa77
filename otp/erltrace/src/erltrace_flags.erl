%% Trace flags of processes and ports. Only the hub calls this.
%%
%% Before OTP 27 a process has one tracer. Processes that have another one are left alone and counted, and so are the
%% node's flags for future processes if they are another tool's. One whose tracer has ended still has the flags that it
%% was given, and the VM adds ours to them: events that nobody has asked for, and with set_on_spawn processes that we do
%% not know of. So such flags go when ours come. From OTP 27 on all of this is in our own session (erltrace_session).
%%
%% Processes get and lose their flags one by one, in pieces (erltrace_session:each/2). erlang:trace(all, …) would stop
%% every scheduler until it has gone through all processes, a quarter of a second for 300,000. And it does not stop the
%% dirty schedulers (at least in OTP 25 and 26): if a process is just leaving one, the VM removes its tracer there and
%% then reads what is gone. For a single process the VM takes its locks.
-module(erltrace_flags).

-export([new/1, update/3, has_strays/1, prune/1, shield/2, uncertain/1, cleared/2, is_set/1, clear/1]).
-export_type([state/0]).

-define(FLAGS, [send, 'receive', call, return_to, procs, running_procs, exiting, garbage_collection, ports]).
-define(ASKERS, 32).   % processes that ask others
-define(ASKING, 2000). % ms that they have for it

-record(flags, {session :: erltrace_session:session(),
                set = [] :: [atom()],
                targets = [] :: targets(),
                missed = {0, []} :: {non_neg_integer(), [processes | ports]}, % processes with another tracer; of which the new ones are another tool's
                shielded = [] :: [pid()]}).
-opaque state() :: #flags{}.
-type targets() :: all | {one_of, pos_integer()} | [pid()]. % one_of: see c_src/chosen.h

-spec new(erltrace_session:session()) -> state().
new(Session) ->
    #flags{session = Session}.

%% Processes may have lost them, because the tracer was missing for a while.
-spec uncertain(state()) -> state().
uncertain(S) ->
    S#flags{missed = {1, []}}.

%% After clear/1, or with another session.
-spec cleared(erltrace_session:session(), state()) -> state().
cleared(Session, #flags{shielded = Shielded}) ->
    #flags{session = Session, shielded = Shielded}.

%% Whether there is anything for clear/1 to do.
-spec is_set(state()) -> boolean().
is_set(#flags{set = Set}) ->
    Set =/= [].

%% Sets what Wants say, on all processes unless every script is about only some. Notes say who is left out, and which
%% wants that concerns.
-spec update([atom()], [[atom() | tuple()]], state()) -> {state(), [{[atom()], binary()}]}.
update(Wants, Scripts, #flags{targets = Before, set = Old} = S) ->
    Flags = flags(Wants),
    case targets(Scripts) of
        Before -> set(Flags, S);
        Targets when Flags =:= []; Old =:= [] -> set(Flags, (switch_off(S))#flags{targets = Targets});
        Targets -> move(Targets, Flags, S)
    end.

flags(Wants) ->
    [F || F <- ?FLAGS, lists:member(F, Wants)]
        ++ [arity || lists:member(call, Wants), not lists:member(arguments, Wants)].

%% Scripts of different kinds get all processes; the library hides from each what it must not see.
targets(Scripts) ->
    Sets = [targets_of(Wants) || Wants <- Scripts],
    Pids = [P || P <- Sets, is_list(P)],
    Shares = [N || {one_of, N} <- Sets],
    if length(Pids) =:= length(Sets) -> lists:usort(lists:append(Pids));
       length(Shares) =:= length(Sets) -> {one_of, lists:min(Shares)};
       true -> all
    end.

targets_of(Wants) ->
    case {lists:keyfind(only, 1, Wants), lists:keyfind(one_of, 1, Wants)} of
        {{only, Pids}, _} -> Pids;
        {false, {one_of, N}} -> {one_of, N};
        {false, false} -> all
    end.

is_target(_, all) -> true;
is_target(P, {one_of, N}) -> erltrace_tracer:chosen(P, N).

set([], S) ->
    {switch_off(S), []};
set(Flags, #flags{session = Session, set = Old, targets = Targets} = S) ->
    %% new ones come before old ones go: a process without any in between would lose its tracer
    {Missed, Notes} = switch_on(Targets, Flags, Old, S),
    case Old -- Flags of
        [] -> ok;
        Gone when not is_list(Targets) ->
            each_off(S, Gone),
            erltrace_session:new_ones(Session, false, Gone),
            after_gap(S, Flags, erltrace_session:is_own(Session));
        Gone ->
            lists:foreach(fun(P) -> erltrace_session:flags(Session, P, false, Gone) end, Targets)
    end,
    {S#flags{set = Flags, missed = Missed}, Notes}.

%% A script about all processes comes or goes beside one about some. They keep their flags all the time, so that neither
%% script misses what they do.
move(Targets, Flags, #flags{session = Session, set = Old, targets = Before} = S) ->
    New = S#flags{targets = Targets, set = Flags},
    {Missed, Notes} = switch_on(Targets, Flags, Old, New#flags{set = []}),
    Gone = Old -- Flags,
    if is_list(Before), is_list(Targets) ->
           lists:foreach(fun(P) -> erltrace_session:flags(Session, P, false, all_flags(Session)) end, Before -- Targets),
           remove(Gone, Targets, S);
       is_list(Targets) ->
           erltrace_session:new_ones(Session, false, all_flags(Session)),
           each_off(S, all_flags(Session), Targets),
           remove(Gone, Targets, S);
       is_list(Before), Targets =:= all ->
           remove(Gone, Before, S);
       true ->
           leave_only(Targets, Gone, S),
           Gone =/= [] andalso erltrace_session:new_ones(Session, false, Gone),
           Gone =/= [] andalso after_gap(New, Flags, erltrace_session:is_own(Session))
    end,
    {New#flags{missed = Missed}, Notes}.

remove([], _, _) ->
    ok;
remove(Gone, Pids, #flags{session = Session}) ->
    lists:foreach(fun(P) -> erltrace_session:flags(Session, P, false, Gone) end, Pids).

%% The targets lose some flags, the other processes all of them.
leave_only(Targets, Gone, #flags{session = Session, shielded = Shielded}) ->
    Own = [self() | Shielded],
    erltrace_session:is_for_ports(Gone) andalso
        erltrace_session:each(fun(P) -> erltrace_session:flags(Session, P, false, Gone) =:= 0 end, erlang:ports()),
    Lose = fun(P) ->
        Flags = case is_target(P, Targets) of true -> Gone; false -> all_flags(Session) end,
        Flags =/= [] andalso not lists:member(P, Own) andalso erltrace_session:flags(Session, P, false, Flags) =:= 0
    end,
    erltrace_session:each(Lose, processes()).

%% Whether there is anything for prune/1 to do now and then.
-spec has_strays(state()) -> boolean().
has_strays(#flags{set = Set, targets = Targets}) ->
    Set =/= [] andalso is_tuple(Targets).

%% All processes that begin get the flags. Those that are no targets lose them, once they have had an event.
-spec prune(state()) -> ok.
prune(#flags{session = Session, set = [_ | _], targets = {one_of, _} = Targets}) ->
    [erltrace_session:flags(Session, P, false, all_flags(Session)) || P <- erltrace_tracer:strays(), not is_target(P, Targets)],
    ok;
prune(_) ->
    ok.

%% All have them already, and nobody else can have come in between. But processes that were left out may have lost the
%% other tool's tracer by now.
switch_on(Targets, Flags, _, #flags{set = Flags, missed = {0, []} = None}) when not is_list(Targets) ->
    {None, []};
switch_on(Targets, Flags, Old, #flags{session = Session} = S) when not is_list(Targets) ->
    Kept = erltrace_session:new_ones(Session, true, Flags), % before the others, so that nobody is missed
    Missed = count_foreign(each_on(S, Flags, Old)),
    {{Missed, Kept}, note(Missed) ++ note_new(Kept)};
switch_on(Pids, Flags, Old, #flags{session = Session}) ->
    Others = others(Session, Flags ++ Old),
    Missed = count_foreign([P || P <- Pids, give(Session, P, Flags, Others) =:= 0]),
    {{Missed, []}, note(Missed)}.

%% In a session of OTP 27 (at least 27.3) future processes and ports lose all flags with the first that is removed. So
%% they get them again, and so do those that came in between.
after_gap(#flags{session = Session} = S, Flags, true) ->
    erltrace_session:new_ones(Session, true, Flags),
    each_on(S, Flags, Flags);
after_gap(_, _, false) ->
    ok.

switch_off(#flags{set = []} = S) ->
    S;
switch_off(#flags{session = Session, targets = Targets} = S) when not is_list(Targets) ->
    erltrace_session:new_ones(Session, false, all_flags(Session)),
    each_off(S, all_flags(Session)),
    S#flags{set = [], missed = {0, []}};
switch_off(#flags{session = Session, targets = Pids} = S) ->
    lists:foreach(fun(P) -> erltrace_session:flags(Session, P, false, all_flags(Session)) end, Pids),
    S#flags{set = [], missed = {0, []}}.

%% Every target and port except our own gets the flags, and keeps of others only Old. Returns the processes that did not
%% take them.
each_on(#flags{session = Session, targets = Targets} = S, Flags, Old) ->
    Others = others(Session, Flags ++ Old),
    each(S, Flags, [], fun(P) -> (is_port(P) orelse is_target(P, Targets)) andalso give(Session, P, Flags, Others) =:= 0 end).

each_off(S, Flags) ->
    each_off(S, Flags, []).

%% Except our own processes and these.
each_off(#flags{session = Session} = S, Flags, Except) ->
    each(S, Flags, Except, fun(P) -> erltrace_session:flags(Session, P, false, Flags) =:= 0 end).

each(#flags{shielded = Shielded}, Flags, Except, Fun) ->
    Own = [self() | Shielded ++ Except],
    erltrace_session:is_for_ports(Flags) andalso erltrace_session:each(Fun, erlang:ports()),
    erltrace_session:each(fun(P) -> not lists:member(P, Own) andalso Fun(P) end, processes()).

%% First the others go: with set_on_spawn, a child would otherwise inherit our flags. If it has flags of ours, some of
%% them stay, so it does not lose our tracer.
give(Session, P, Flags, Others) ->
    case Others =:= [] orelse erltrace_session:flags(Session, P, false, Others) =:= 1 of
        true -> erltrace_session:flags(Session, P, true, Flags);
        false -> 0
    end.

others({own, _}, _) -> [];
others(shared, Kept) -> all_flags(shared) -- Kept.

%% All that a process with our tracer can have.
all_flags(Session) ->
    [arity | ?FLAGS] ++ erltrace_session:left_flags(Session).

%% Nobody knows what is set, perhaps because a hub was killed; nobody else uses this tracer. A session of our own is gone
%% with its hub.
-spec clear(state()) -> ok.
clear(#flags{shielded = Shielded}) ->
    switch_off(#flags{session = shared, set = ?FLAGS, targets = all, shielded = Shielded}),
    ok.

%% -- erltrace's own processes

%% They are never traced: a separate tracer, which is never told anything, keeps ours away. `silent` is a flag that
%% makes no event and that no child inherits. Those that have another tool's tracer need nothing. (In our own session
%% that would not keep it away; the tracer discards events of own processes in either case.)
-spec shield([pid()], state()) -> state().
shield(_, #flags{session = {own, _}} = S) ->
    S;
shield(Own, #flags{shielded = Before} = S) ->
    New = lists:usort(Own),
    [try erlang:trace(P, false, [{tracer, self()}, silent]) catch error:badarg -> gone end || P <- Before -- New],
    Added = [P || P <- New -- Before, is_shielded(P)],
    S#flags{shielded = [P || P <- Before, lists:member(P, New)] ++ Added}.

is_shielded(P) ->
    erltrace_session:flags(shared, P, false, all_flags(shared)),
    try erlang:trace(P, true, [{tracer, self()}, silent]) =:= 1 catch error:badarg -> false end.

%% -- processes with another tracer

note(0) -> [];
note(1) -> [{?FLAGS, <<"1 process has another tracer and is not traced">>}];
note(N) -> [{?FLAGS, <<(integer_to_binary(N))/binary, " processes have another tracer and are not traced">>}].

note_new([]) ->
    [];
note_new(Kept) ->
    What = lists:join(" and ", [atom_to_list(K) || K <- Kept]),
    [{?FLAGS, iolist_to_binary(["another tool traces new ", What, ": those that begin from now on are not traced"])}].

%% Counts how many of those that did not take our flags have another tracer; the others have ended. A process answers
%% only when it next runs, so they are asked in parallel, and only for a while.
count_foreign([]) ->
    0;
count_foreign(Processes) ->
    Hub = self(),
    Askers = [spawn_opt(fun() -> exit({foreign, length([P || P <- Share, has_other_tracer(P, Hub)])}) end,
                        [monitor, {priority, high}])
              || Share <- shares(Processes, ?ASKERS), Share =/= []],
    Until = erlang:monotonic_time(millisecond) + ?ASKING,
    lists:sum([answer(Asker, Until) || Asker <- Askers]).

answer({Pid, Ref}, Until) ->
    receive
        {'DOWN', Ref, process, Pid, {foreign, N}} -> N;
        {'DOWN', Ref, process, Pid, _} -> 0
    after max(0, Until - erlang:monotonic_time(millisecond)) ->
        erlang:demonitor(Ref, [flush]),
        exit(Pid, kill),
        0
    end.

shares(List, N) ->
    shares_of(List, max(1, (length(List) + N - 1) div N)).

shares_of(List, Size) when length(List) =< Size -> [List];
shares_of(List, Size) ->
    {Share, Rest} = lists:split(Size, List),
    [Share | shares_of(Rest, Size)].

has_other_tracer(P, Hub) ->
    case erlang:trace_info(P, tracer) of
        {tracer, []} -> false;
        {tracer, {erltrace_tracer, _}} -> false;
        {tracer, Hub} -> false;
        {tracer, _} -> true;
        undefined -> false
    end.
