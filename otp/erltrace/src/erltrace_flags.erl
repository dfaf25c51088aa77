%% Trace flags of processes and ports. Only the hub calls this.
%%
%% Before OTP 27 a process has one tracer. Processes that have another one are left alone, and counted. From there on all of this
%% is in a session of our own (erltrace_session).
%%
%% Taking the flags away is the dangerous part. erlang:trace(all, …) stops the normal schedulers, but not the dirty ones (OTP 25
%% and 26, at least): the VM takes away the tracer of a process that is just leaving a dirty scheduler, and there reads what is gone. So
%% it is done in steps. First every flag goes that makes events, while one that makes none, `silent`, keeps the
%% tracer where it is; then whoever was looking at the tracer gets the time to finish; then the last flag goes. Single
%% processes need none of this: for them the VM takes their locks.
-module(erltrace_flags).

-export([new/1, update/3, shield/2, clear/0]).
-export_type([state/0]).

-define(FLAGS, [send, 'receive', call, return_to, procs, running_procs, garbage_collection, ports]).
-define(ALL_FLAGS, [arity | ?FLAGS]).
-define(GRACE, 50).    % ms that a dirty scheduler has to finish with a tracer; it needs less than 1 µs of processor time
-define(ASKERS, 32).   % processes that ask others
-define(ASKING, 2000). % ms that they have for it

-record(flags, {session :: erltrace_session:session(),
                set = [] :: [atom()],
                targets = [] :: all | [pid()],
                shielded = [] :: [pid()]}).
-opaque state() :: #flags{}.

-spec new(erltrace_session:session()) -> state().
new(Session) ->
    #flags{session = Session}.

%% Sets what Wants say, on all processes unless every script is about some only. Notes say who is left out, and which wants that is about.
-spec update([atom()], [[atom() | tuple()]], state()) -> {state(), [{[atom()], binary()}]}.
update(Wants, Scripts, #flags{session = Session, targets = Before} = S) ->
    case targets(Scripts) of
        Before ->
            set(Wants, S);
        Targets when Before =:= all ->
            clear_all(Session),
            set(Wants, S#flags{targets = Targets, set = []});
        Targets ->
            trace(Session, Before, false, ?ALL_FLAGS),
            set(Wants, S#flags{targets = Targets, set = []})
    end.

targets(Scripts) ->
    Sets = [lists:keyfind(only, 1, Wants) || Wants <- Scripts],
    case lists:member(false, Sets) of
        true -> all;
        false -> lists:usort(lists:append([Pids || {only, Pids} <- Sets]))
    end.

set(Wants, #flags{session = Session, set = Old, targets = Targets, shielded = Shielded} = S) ->
    Flags = [F || F <- ?FLAGS, lists:member(F, Wants)]
        ++ [arity || lists:member(call, Wants), not lists:member(arguments, Wants)],
    Notes = case Flags of
                [] ->
                    [];
                _ ->
                    %% new ones before old ones go: a process that had none between would lose its tracer
                    Before = tracees(Flags),
                    Set = trace(Session, Targets, true, Flags),
                    note(foreign(Session, Set, max(Before, tracees(Flags)), length(Shielded)))
            end,
    case Old -- Flags of
        [] -> ok;
        _ when Flags =:= [], Targets =:= all -> clear_all(Session);
        Gone -> trace(Session, Targets, false, Gone), restore_new(Session, Targets, Flags)
    end,
    {S#flags{set = Flags}, Notes}.

%% In a session of OTP 27 (27.3 at least) processes and ports to come lose all flags with the first that is taken away. Those that
%% came between the two get them here, too.
restore_new({own, _} = Session, all, Flags) -> trace(Session, all, true, Flags);
restore_new(_, _, _) -> ok.

%% Processes that have ended, or have another tracer, have no flags to change. How many processes and ports have got them.
trace(Session, all, On, Flags) ->
    erltrace_session:flags(Session, all, On, Flags);
trace(Session, Pids, On, Flags) ->
    lists:foreach(fun(P) -> erltrace_session:flags(Session, P, On, Flags) end, Pids),
    some.

clear_all(Session) ->
    erltrace_session:flags(Session, all, true, [silent]),
    erltrace_session:flags(Session, all, false, ?ALL_FLAGS),
    receive after ?GRACE -> ok end,
    erltrace_session:flags(Session, all, false, [silent]).

%% A hub that was killed may have left flags; nobody else uses this tracer. A session of its own has gone with it.
-spec clear() -> ok.
clear() ->
    case erlang:trace_info(new, tracer) of
        {tracer, {erltrace_tracer, _}} -> clear_all(shared);
        _ -> erltrace_session:flags(shared, all, false, [silent | ?ALL_FLAGS])
    end,
    ok.

%% -- erltrace's own processes

%% They are never traced. They run NIFs on dirty schedulers all the time, so our tracer must not even come near: one of their own,
%% that is never told anything, keeps it away. Those that have another tool's have what they need. (In a session of our own that would
%% not keep it away; the tracer discards events of own processes in either case.)
-spec shield([pid()], state()) -> state().
shield(_, #flags{session = {own, _}} = S) ->
    S;
shield(Own, #flags{shielded = Before} = S) ->
    New = lists:usort(Own),
    [catch erlang:trace(P, false, [{tracer, self()}, set_on_first_link])
     || P <- Before -- New, is_process_alive(P)],
    Added = [P || P <- New -- Before, is_process_alive(P), count_foreign([P]) =:= 0],
    lists:foreach(
        fun(P) ->
                erltrace_session:flags(shared, P, false, [silent | ?ALL_FLAGS]),
                catch erlang:trace(P, true, [{tracer, self()}, set_on_first_link])
        end,
        Added),
    S#flags{shielded = [P || P <- Before, lists:member(P, New)] ++ Added}.

%% -- processes with another tracer

note(0) -> [];
note(1) -> [{?FLAGS, <<"1 process has another tracer and is not traced">>}];
note(N) -> [{?FLAGS, <<(integer_to_binary(N))/binary, " processes have another tracer and are not traced">>}].

%% How many there are. Each can only be asked by a signal that it takes when it runs next, so none is asked when the
%% numbers say that all got the flags, and those asked are asked side by side: on a busy node, where processes come and go
%% and the numbers say little, it takes as long as the slowest of them, and an end is made after a while.
foreign({own, _}, _, _, _) -> 0; % nobody else is in there
foreign(_, Set, All, Shielded) when is_integer(Set), All - Set - Shielded =< 0 -> 0;
foreign(_, _, _, _) -> count_foreign(processes()).

%% How many processes and ports these flags are for.
tracees(Flags) ->
    Ports = [F || F <- Flags, lists:member(F, [send, 'receive', ports])],
    case Flags -- [ports] of
        [] -> 0;
        _ -> erlang:system_info(process_count)
    end
        + case Ports of
              [] -> 0;
              _ -> erlang:system_info(port_count)
          end.

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
