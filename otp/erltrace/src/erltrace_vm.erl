%% The VM's own state, looked at from time to time (erltrace_gauges.erl): how long the schedulers' run queues are and
%% how busy they are, how long a process waits until it runs, and what memory the allocators hold. Everything here is
%% public (erlang:statistics/1, erlang:system_info/1).
-module(erltrace_vm).

-export([start/3]).
-export([schedulers/3, ask/4, canary/0, carriers/3, limits/4]).

%% Starts the processes of a gauge, linked to the caller. Notes say what is not possible.
-spec start(schedulers | delays | carriers | limits, binary(), pos_integer()) -> {[pid()], [binary()]}.
start(schedulers, Probe, Ms) ->
    %% who looks at queues must not wait in them
    {[spawn_opt(?MODULE, schedulers, [Probe, Ms, now_ms()], [link, {priority, high}])], []};
start(delays, Probe, Ms) ->
    Canaries = [spawn_link(?MODULE, canary, []) || _ <- lists:seq(1, erlang:system_info(schedulers_online))],
    {Canaries ++ [spawn_opt(?MODULE, ask, [Probe, Ms, now_ms() + Ms div 2, Canary], [link, {priority, high}])
                  || Canary <- Canaries],
     []};
start(limits, Probe, Ms) ->
    {[spawn_link(?MODULE, limits, [Probe, Ms, now_ms() + Ms, counts()])], []};
start(carriers, Probe, Ms) ->
    Allocators = erlang:system_info(alloc_util_allocators),
    case Allocators -- telling(Allocators) of
        Allocators ->
            {[], [<<"this VM does not tell what its allocators hold: carriers-1s and carriers-10s do not fire">>]};
        Off ->
            {[spawn_link(?MODULE, carriers, [Probe, Ms, now_ms()])],
             [iolist_to_binary(["this VM does not tell what these of its allocators hold: ",
                                lists:join(", ", [atom_to_list(A) || A <- Off])]) || Off =/= []]}
    end.

now_ms() ->
    erlang:monotonic_time(millisecond).

%% -- scheduler-…: run queues, and how busy their schedulers are
%%
%% Processes that wait for dirty schedulers are in one queue for each of the two kinds: scheduler 0. The VM measures how
%% busy schedulers are only while a process asks for it, and ceases when that process ends.

-spec schedulers(binary(), pos_integer(), integer()) -> no_return().
schedulers(Probe, Ms, Due) ->
    erltrace_session:hide(),
    _ = erlang:system_flag(scheduler_wall_time, true),
    schedulers(Probe, Ms, Due, times()).

schedulers(Probe, Ms, Due, Before) ->
    Next = erltrace_gauges:wait(Due, Ms),
    Lengths = erlang:statistics(run_queue_lengths_all),
    Now = times(),
    {Queues, [Cpu, Io]} = lists:split(length(Lengths) - 2, Lengths),
    Busy = busy(Before, Now),
    {Normal, Dirty} = lists:split(min(erlang:system_info(schedulers), length(Busy)), Busy),
    {DirtyCpu, DirtyIo} = lists:split(min(erlang:system_info(dirty_cpu_schedulers), length(Dirty)), Dirty),
    fire_schedulers(Probe, 1, Queues, Normal),
    erltrace_tracer:event(Probe, undefined, [0, <<"dirty_cpu">>, Cpu, mean(DirtyCpu)]),
    erltrace_tracer:event(Probe, undefined, [0, <<"dirty_io">>, Io, mean(DirtyIo)]),
    schedulers(Probe, Ms, Next, Now).

fire_schedulers(Probe, N, [Length | Queues], [Busy | More]) ->
    erltrace_tracer:event(Probe, undefined, [N, <<"normal">>, Length, Busy]),
    fire_schedulers(Probe, N + 1, Queues, More);
fire_schedulers(_, _, _, _) ->
    ok.

%% By number of the scheduler: normal ones, then dirty ones for CPU, then those for I/O.
times() ->
    case erlang:statistics(scheduler_wall_time_all) of
        undefined -> [];
        Times -> lists:sort(Times)
    end.

%% In thousandths of the time between; -1 if unknown.
busy([], Now) ->
    [-1 || _ <- Now];
busy(Before, Now) ->
    [share(lists:keyfind(N, 1, Before), Active, Total) || {N, Active, Total} <- Now].

share({_, Active0, Total0}, Active, Total) when Total > Total0 ->
    min(1000, max(0, 1000 * (Active - Active0) div (Total - Total0)));
share(_, _, _) ->
    -1.

mean(Shares) ->
    case [S || S <- Shares, S >= 0] of
        [] -> -1;
        Known -> lists:sum(Known) div length(Known)
    end.

%% -- run_delay-…: how long a process waits until it runs
%%
%% Nothing public tells this of other processes without a message for each time that one of them becomes runnable. So
%% there are some processes of ours, canaries, of normal priority, as many as schedulers. Each gets a message from another
%% process, of high priority, and fires with the time until it ran, and where it ran. One that has not answered gets no
%% other message. They are not bound to schedulers: no other process is, and one that is bound to a scheduler which then
%% goes offline cannot even be killed. They ask between two looks at the run queues, which would otherwise find these
%% processes there.

-spec ask(binary(), pos_integer(), integer(), pid()) -> no_return().
ask(Probe, Ms, Due, Canary) ->
    erltrace_session:hide(),
    Next = erltrace_gauges:wait(Due, Ms),
    Canary ! {run, self(), Probe, erlang:monotonic_time()},
    receive {ran, Canary} -> ok end,
    ask(Probe, Ms, Next, Canary).

-spec canary() -> no_return().
canary() ->
    erltrace_session:hide(),
    receive
        {run, From, Probe, Then} ->
            Waited = erlang:monotonic_time() - Then,
            Nanoseconds = erlang:convert_time_unit(Waited, native, nanosecond),
            erltrace_tracer:event(Probe, undefined, [erlang:system_info(scheduler_id), Nanoseconds]),
            From ! {ran, self()}
    end,
    canary().

%% -- limits-…: what a node can run out of, how much of it there is, and how much more than the last time
%%
%% ETS has no limit any more since OTP 21, only memory: 0.

-spec limits(binary(), pos_integer(), integer(), [{binary(), integer(), integer()}]) -> no_return().
limits(Probe, Ms, Due, Before) ->
    erltrace_session:hide(),
    Next = erltrace_gauges:wait(Due, Ms),
    Now = counts(),
    [erltrace_tracer:event(Probe, undefined, [What, Count, Limit, Count - Had])
     || {{What, Count, Limit}, {_, Had, _}} <- lists:zip(Now, Before)],
    limits(Probe, Ms, Next, Now).

counts() ->
    [{What, erlang:system_info(Count), case Limit of none -> 0; _ -> erlang:system_info(Limit) end}
     || {What, Count, Limit} <- [{<<"atoms">>, atom_count, atom_limit}, {<<"processes">>, process_count, process_limit},
                                 {<<"ports">>, port_count, port_limit}, {<<"ETS tables">>, ets_count, none}]].

%% -- carriers-…: memory that the allocators have taken from the system, and how much of it is in use
%%
%% An allocator has an instance for each scheduler, and one for all other threads; an event is about all of them
%% together. Multi-block carriers hold many blocks, single-block carriers one each, and those in the pool have been given
%% up by their instance for others to take.

-spec carriers(binary(), pos_integer(), integer()) -> no_return().
carriers(Probe, Ms, Due) ->
    erltrace_session:hide(),
    [fire_carriers(Probe, A, allocator(A)) || A <- erlang:system_info(alloc_util_allocators)],
    carriers(Probe, Ms, erltrace_gauges:wait(Due, Ms)).

%% All schedulers take part in the answer, and one may be busy in C for long. The hub, which asks this, waits a moment.
telling(Allocators) ->
    {Pid, Ref} = spawn_monitor(fun() -> exit({telling, [A || A <- Allocators, lists:any(fun is_known/1, allocator(A))]}) end),
    receive
        {'DOWN', Ref, process, Pid, {telling, Some}} -> Some;
        {'DOWN', Ref, process, Pid, _} -> []
    after 1000 ->
        exit(Pid, kill),
        receive {'DOWN', Ref, process, Pid, _} -> Allocators end
    end.

allocator(A) ->
    case erlang:system_info({allocator_sizes, A}) of
        Rows when is_list(Rows) -> Rows;
        _ -> [] % switched off
    end.

is_known({instance, N, Kinds}) when is_integer(N), is_list(Kinds) ->
    lists:any(fun({Kind, Sizes}) -> is_kind(Kind) andalso sizes(Sizes) =/= unknown; (_) -> false end, Kinds);
is_known(_) ->
    false.

fire_carriers(Probe, A, Instances) ->
    All = [{Kind, Carriers, Blocks} || {instance, _, Kinds} <- Instances, {Kind, Sizes} <- Kinds, is_kind(Kind),
                                       {Carriers, Blocks} <- [sizes(Sizes)]],
    Carriers = fun(Which) -> lists:sum([C || {Kind, C, _} <- All, lists:member(Kind, Which)]) end,
    Blocks = lists:sum([B || {_, _, B} <- All]),
    All =:= [] orelse
        erltrace_tracer:event(Probe, undefined, [A, Carriers([mbcs, sbcs, mbcs_pool]), Blocks, Carriers([sbcs]), Carriers([mbcs_pool])]).

is_kind(Kind) ->
    lists:member(Kind, [mbcs, sbcs, mbcs_pool]).

%% The present value is the first; what it was at most may follow.
sizes(Sizes) when is_list(Sizes) ->
    case {lists:keyfind(carriers_size, 1, Sizes), lists:keyfind(blocks, 1, Sizes)} of
        {false, _} -> unknown;
        {_, false} -> unknown;
        {Carriers, {blocks, Types}} -> {element(2, Carriers), lists:sum([block_size(T) || T <- Types])}
    end;
sizes(_) ->
    unknown.

block_size({_, Values}) ->
    case lists:keyfind(size, 1, Values) of
        false -> 0;
        Size -> element(2, Size)
    end.
