%% Who waits for a firing: two schedulers are inside one that lasts (its clause chills), and meanwhile a third does all that
%% one can do with scripts. run(Library, Slow, Quick) returns {done, [{What, at_once | waited}]}: whether it was done while
%% both were still inside. Each is tried again, because on a busy machine anything may take that long.
%%
%% Slow and Quick are D objects that count, with a clause for load:call/1 and load:up/1.
-module(waits).
-include("conf.hrl").

-export([run/3, hog/1]).

-define(TRIES, 20).

run(Library, Slow, Quick) ->
    ok = erltrace_tracer:load(Library),
    {Pid, Ref} = spawn_opt(fun() -> exit({done, all(read(Slow), read(Quick))}) end, [{scheduler, 3}, monitor]),
    receive {'DOWN', Ref, process, Pid, Result} -> Result end.

read(File) ->
    {ok, Object} = file:read_file(File),
    Object.

all(Slow, Quick) ->
    put(counted, 0),
    A = running(Slow, call),
    B = running(Quick, up),
    1 = erlang:trace_pattern({load, call, 1}, [], [local]),
    Hogs = [spawn_opt(?MODULE, hog, [self()], [{scheduler, N}]) || N <- [1, 2]],
    [1 = erlang:trace(Hog, true, [call, {tracer, erltrace_tracer, []}]) || Hog <- Hogs],
    Done = [{status, tried(Hogs, fun() -> #{} = erltrace_tracer:status(A) end)},
            {snapshot, tried(Hogs, fun() -> snap(A) end)},
            {records, tried(Hogs, fun() -> <<_/binary>> = erltrace_tracer:drain(A) end)},
            {snapshot_of_another, tried(Hogs, fun() -> <<_/binary>> = erltrace_tracer:snap(B) end)},
            {start, tried(Hogs, fun() -> running(Quick, up) end, fun(C) -> ok = erltrace_tracer:close(C) end)},
            {rename, tried(Hogs, fun rename/0)},
            {halt, tried(Hogs, fun() -> halted(Quick) end, fun(Ref) -> receive {Ref, ok} -> ok end end)},
            {others_while_one_stops, tried(Hogs, fun() -> stopping(Slow, B) end, fun(Ref) -> receive {Ref, ok} -> ok end end)}],
    ok = erltrace_tracer:stop(A),
    snap_all(A),
    Calls = lists:sum([begin Hog ! {calls, self()}, receive {Hog, calls, N} -> N end end || Hog <- Hogs]),
    Lost = Calls - get(counted),
    All = has_all(Hogs, Slow, ?TRIES),
    [exit(Hog, kill) || Hog <- Hogs],
    erlang:trace_pattern({load, call, 1}, false, [local]),
    [ok = erltrace_tracer:close(H) || H <- [A, B]],
    Done ++ [{stop_has_all, All}, {lost, Lost}].

running(Object, Function) ->
    {ok, H} = erltrace_tracer:open(Object, maps:put(destructive, 1, ?CONF), self(), <<>>),
    {ok, Index} = erltrace_tracer:bind(H, 10, {<<"erlang1">>, <<"load">>, [atom_to_list(Function), "/1"], <<"entry">>}, 0),
    ok = erltrace_tracer:subscribe(H, Index, {0, load, Function, 1, 0}),
    ok = erltrace_tracer:start(H),
    ok = erltrace_tracer:go(H),
    H.

%% As an attach does after the node got another name.
rename() ->
    ok = erltrace_tracer:node(integer_to_binary(erlang:unique_integer([positive]))).

%% None of its clauses runs from here on; it is closed when events that are under way have ended.
halted(Quick) ->
    C = running(Quick, up),
    ok = erltrace_tracer:halt(C),
    erltrace_tracer:ask_close(C).

%% A script that is stopped gets its answer when its last firing has ended. Meanwhile others are served.
stopping(Slow, B) ->
    C = running(Slow, call),
    Ref = erltrace_tracer:ask_stop(C),
    #{} = erltrace_tracer:status(C),
    <<_/binary>> = erltrace_tracer:snap(B),
    erltrace_tracer:ask_close(C),
    Ref.

%% A script that is stopped while its last firings are under way has them too, when stop has answered.
has_all(_, _, 0) ->
    false;
has_all(Hogs, Slow, Tries) ->
    C = running(Slow, call),
    inside(Hogs),
    ok = erltrace_tracer:stop(C),
    put(counted, 0),
    snap_all(C),
    ok = erltrace_tracer:close(C),
    outside(Hogs),
    %% a call may begin too late
    get(counted) =:= 2 orelse has_all(Hogs, Slow, Tries - 1).

hog(To) -> hog(To, 0).

hog(To, Calls) ->
    receive
        {call, Begun} -> counters:add(Begun, 1, 1), load:call(1), To ! {self(), left}, hog(To, Calls + 1);
        {calls, From} -> From ! {self(), calls, Calls}, hog(To, Calls)
    end.

%% Chilling has a limit, half of each second. A call that does not chill any more is a try that counts as waiting. Nothing
%% sleeps between the beginning of the calls and what is tried: on a busy machine it would wake up after their end.
inside(Hogs) ->
    timer:sleep(700),
    Begun = counters:new(1, []),
    [Hog ! {call, Begun} || Hog <- Hogs],
    begun(Begun, length(Hogs)),
    spin(erlang:monotonic_time(millisecond) + 2).

begun(Begun, N) -> counters:get(Begun, 1) =:= N orelse begun(Begun, N).

spin(Until) -> erlang:monotonic_time(millisecond) > Until orelse spin(Until).

%% Returns whether both were inside until now, and waits for their end.
outside(Hogs) ->
    Left = [receive {Hog, left} -> true after 0 -> false end || Hog <- Hogs],
    [receive {Hog, left} -> ok end || {Hog, false} <- lists:zip(Hogs, Left)],
    not lists:member(true, Left).

tried(Hogs, Do) -> tried(Hogs, Do, fun(_) -> ok end).

tried(Hogs, Do, After) -> tried(Hogs, Do, After, ?TRIES).

tried(_, _, _, 0) ->
    waited;
tried(Hogs, Do, After, Tries) ->
    inside(Hogs),
    Result = Do(),
    Inside = outside(Hogs),
    After(Result),
    case Inside of
        true -> at_once;
        false -> tried(Hogs, Do, After, Tries - 1)
    end.

snap(H) ->
    <<No:64/little, Values/binary>> = erltrace_tracer:snap(H),
    put(counted, get(counted) + counted(Values)),
    No.

%% WIRE_PART of src/node/wire.h: there is more
snap_all(H) ->
    case snap(H) bsr 63 of
        0 -> ok;
        1 -> snap_all(H)
    end.

%% struct wire_agg with one word and no key
counted(<<_:32, 0:32, 1:32/little, _:32, N:64/little, Rest/binary>>) -> N + counted(Rest);
counted(<<>>) -> 0.
