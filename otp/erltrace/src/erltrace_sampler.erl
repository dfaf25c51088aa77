%% Stacks for profile-N. The tracer knows which process ran when the clock ticked (c_src/sample.h). A separate process
%% asks that process where it is and hands the stack back. It runs with high priority, so that the answer is mostly the
%% very place at which the process stopped; a process that runs again already is read at its next stop.
%%
%% The VM keeps no more frames of a stack trace than the system flag backtrace_depth says (8). While a script wants more
%% it is raised, and set back afterwards unless somebody else has changed it.
-module(erltrace_sampler).

-export([new/0, update/2, processes/1, depth/1, restore/1]).
-export([init/0]).
-export_type([state/0]).

-record(sampler, {process :: undefined | pid(),
                  depth :: undefined | {Before :: non_neg_integer(), Ours :: non_neg_integer()}}).
-opaque state() :: #sampler{}.

-define(DEEPEST, 256).

-spec new() -> state().
new() ->
    #sampler{}.

%% Wants of all scripts: samples, {frames, N}.
-spec update([term()], state()) -> state().
update(Wants, S) ->
    set_depth(lists:max([0 | [N || {frames, N} <- Wants]]), set_process(lists:member(samples, Wants), S)).

-spec processes(state()) -> [pid()].
processes(#sampler{process = undefined}) -> [];
processes(#sampler{process = P}) -> [P].

%% For restore/1 after this process is gone.
-spec depth(state()) -> undefined | {non_neg_integer(), non_neg_integer()}.
depth(#sampler{depth = Depth}) ->
    Depth.

set_process(true, #sampler{process = undefined} = S) ->
    P = spawn_opt(?MODULE, init, [], [link, {priority, high}, {message_queue_data, off_heap}]),
    erltrace_tracer:sampler(P),
    S#sampler{process = P};
set_process(false, #sampler{process = P} = S) when P =/= undefined ->
    erltrace_tracer:sampler(undefined),
    Ref = erlang:monitor(process, P),
    unlink(P),
    exit(P, kill),
    %% its code may be about to be removed
    receive {'DOWN', Ref, process, _, _} -> ok end,
    S#sampler{process = undefined};
set_process(_, S) ->
    S.

set_depth(Frames, #sampler{depth = undefined} = S) when Frames > 0 ->
    Ours = min(Frames, ?DEEPEST),
    Before = erlang:system_flag(backtrace_depth, Ours),
    case Before >= Ours of
        true -> erlang:system_flag(backtrace_depth, Before), S;
        false -> S#sampler{depth = {Before, Ours}}
    end;
set_depth(Frames, #sampler{depth = {Before, Ours}} = S) when Frames =/= Ours ->
    restore({Before, Ours}),
    set_depth(Frames, S#sampler{depth = undefined});
set_depth(_, S) ->
    S.

%% Undoes what was set.
-spec restore(undefined | {non_neg_integer(), non_neg_integer()}) -> ok.
restore(undefined) ->
    ok;
restore({Before, Ours}) ->
    case erlang:system_flag(backtrace_depth, Before) of
        Ours -> ok;
        Other -> erlang:system_flag(backtrace_depth, Other), ok
    end.

init() ->
    erltrace_session:hide(),
    loop().

loop() ->
    receive
        {erltrace_sample, Row, Generation, Times, Late, Process, Mfa} ->
            Stack = case process_info(Process, current_stacktrace) of
                        {current_stacktrace, Frames} -> Frames;
                        undefined -> [] % it has ended
                    end,
            erltrace_tracer:sampled(Row, Generation, Times, Late, Process, Mfa, Stack)
    end,
    loop().
