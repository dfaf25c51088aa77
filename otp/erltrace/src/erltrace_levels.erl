%% Finds out whether the library can read how deep the stack of a process is: see c_src/level.h.
%%
%% Nothing is taken for granted. Which words of a process are the top and the end of its stack is found by comparing them
%% in nested calls and before and after a garbage collection. Then calls, tail calls, returns and exceptions are traced in
%% the process itself, and the depths that the tracer sees must be those that such calls have. It takes a few
%% milliseconds and is done once, when the first script asks for returns.
-module(erltrace_levels).

-export([known/0, are_known/0]).
-export([body/1, tail/1, leaf/1, deep/1, loop/1, caught/1, thrown/1]). % for patterns and full calls

-define(WAIT, 2000). % ms
-define(TRACER, erltrace_tracer).
-define(CALLED, [fun ?MODULE:body/1, fun ?MODULE:tail/1, fun ?MODULE:leaf/1, fun ?MODULE:deep/1, fun ?MODULE:loop/1, fun ?MODULE:caught/1,
                 fun ?MODULE:thrown/1]).

-spec are_known() -> boolean().
are_known() ->
    ?TRACER:level(state) =:= known.

%% The same, and finds it out if nobody has tried. If they are not known, return probes need {caller}.
-spec known() -> boolean().
known() ->
    case ?TRACER:level(state) of
        unknown ->
            {_, Ref} = spawn_opt(fun find/0, [monitor, {priority, high}, {min_heap_size, 4000}]),
            receive {'DOWN', Ref, process, _, _} -> ok after ?WAIT -> erlang:demonitor(Ref, [flush]) end,
            are_known();
        busy -> wait(?WAIT div 10);
        State -> State =:= known
    end.

wait(N) ->
    case ?TRACER:level(state) of
        busy when N > 0 -> receive after 10 -> wait(N - 1) end;
        State -> State =:= known
    end.

find() ->
    ?TRACER:level('begin') andalso
        try
            {Top, End} = places(words(nested(6)), words(moved())),
            ok = ?TRACER:level({words, Top, End}),
            {Marker, Frame} = traced(),
            ?TRACER:level({known, Marker, Frame})
        catch _:_ ->
            ?TRACER:level(impossible)
        end.

%% -- which words

%% They are taken apart later: that makes garbage, and its collection would move the stack.
nested(0) -> [];
nested(N) ->
    Words = ?TRACER:level(words),
    Rest = nested(N - 1),
    [Words | Rest].

%% Twice at the same depth, and the stack is somewhere else.
moved() ->
    Before = ?TRACER:level(words),
    true = garbage_collect(),
    After = ?TRACER:level(words),
    [Before, After].

words(Taken) -> [[W || <<W:64/native>> <= Bytes] || Bytes <- Taken].

%% The top goes down by the same number of bytes with each nested call; only one word does. The end stays, is above, and
%% moves with the top.
places([First | _] = Nested, [Before, After]) ->
    Columns = columns(Nested),
    [Top] = [I || {I, Column} <- Columns, falls(Column)],
    T0 = lists:nth(Top + 1, First),
    [T1, T2] = [lists:nth(Top + 1, Words) || Words <- [Before, After]],
    true = T1 =/= T2,
    [End] = [I || {I, [E0 | Rest]} <- Columns,
                  lists:all(fun(E) -> E =:= E0 end, Rest),
                  E0 > T0, E0 - T0 < 8000, (E0 - T0) rem 8 =:= 0,
                  {E1, E2} <- [{lists:nth(I + 1, Before), lists:nth(I + 1, After)}],
                  E1 - T1 =:= E2 - T2],
    {Top, End}.

columns(Rows) ->
    Width = lists:min([length(R) || R <- Rows]),
    [{I, [lists:nth(I + 1, R) || R <- Rows]} || I <- lists:seq(0, Width - 1)].

falls([A, B | _] = Column) ->
    By = A - B,
    By > 0 andalso By =< 512 andalso By rem 8 =:= 0 andalso
        lists:all(fun({X, Y}) -> X - Y =:= By end, lists:zip(lists:droplast(Column), tl(Column))).

%% -- traced calls

traced() ->
    Session = session(),
    try
        set(?CALLED, true, Session),
        trace(Session, true),
        Marker = plain(),
        set([fun ?MODULE:tail/1], [{'_', [], [{return_trace}]}], Session),
        Frame = framed(Marker),
        set([fun ?MODULE:tail/1], [{'_', [], [{exception_trace}]}], Session),
        Frame = framed(Marker),
        {Marker, Frame}
    after
        trace(Session, false),
        set(?CALLED, false, Session),
        erltrace_session:destroy(Session)
    end.

session() ->
    case erltrace_session:is_separate() of
        true -> {own, trace:session_create(erltrace_levels, {?TRACER, levels}, [])};
        false -> erlang:trace(self(), false, [all]), shared % it may have been born with flags
    end.

set(Functions, Spec, Session) ->
    [1 = erltrace_session:function(Session, mfa(F), Spec) || F <- Functions].

mfa(Fun) ->
    {_, Module} = erlang:fun_info(Fun, module),
    {_, Name} = erlang:fun_info(Fun, name),
    {Module, Name, 1}.

trace(shared, On) -> 1 = erlang:trace(self(), On, [{tracer, ?TRACER, levels}, call, return_to, arity]);
trace({own, Session}, On) -> 1 = trace:process(Session, self(), On, [call, return_to, arity]).

%% What the calls of Fun tell. What is left from before is not theirs.
told(Fun) ->
    ?TRACER:level(notes),
    Fun(3),
    lists:dropwhile(fun({Tag, _}) -> Tag =/= call end, ?TRACER:level(notes)).

plain() ->
    [{call, T1}, {call, T2}, {return_to, T3}] = told(fun ?MODULE:tail/1),
    Marker = T2 - T1,
    true = Marker >= 1 andalso Marker =< 8,
    Left = fun(To, Call) -> true = To >= Call andalso To =< Call + Marker end,
    Left(T3, T1),
    [{call, B1}, {call, B2}, {return_to, B3}, {return_to, B4}] = told(fun ?MODULE:body/1),
    true = B2 > B1 + Marker,
    Left(B3, B2),
    Left(B4, B1),
    [{call, L1}, {call, L2}, {call, L2}, {call, L2}, {return_to, L3}] = told(fun ?MODULE:loop/1),
    L2 = L1 + Marker,
    Left(L3, L1),
    [{call, D1}, {call, D2}, {call, D3}, {call, D4} | Returns] = told(fun ?MODULE:deep/1),
    true = D2 > D1 + Marker andalso D3 > D2 + Marker andalso D4 > D3 + Marker,
    [{return_to, R4}, {return_to, R3}, {return_to, R2}, {return_to, R1}] = Returns,
    [Left(To, Call) || {To, Call} <- [{R4, D4}, {R3, D3}, {R2, D2}, {R1, D1}]],
    [{call, C1}, {call, C2}, {return_to, C3}, {return_to, C4}] = told(fun ?MODULE:caught/1),
    true = C2 > C1 + Marker,
    Left(C3, C2),
    Left(C4, C1),
    Marker.

framed(Marker) ->
    [{call, T1}, {call, T2}, {return_from, _}, {return_to, T3}] = told(fun ?MODULE:tail/1),
    Frame = T2 - T1 - Marker,
    true = Frame >= 1 andalso Frame =< 16 andalso T3 >= T1 andalso T3 =< T1 + Marker,
    Frame.

leaf(X) -> X.

tail(X) -> ?MODULE:leaf(X).

%% Its frame on the stack is the smallest that there is.
body(X) ->
    ?MODULE:leaf(X),
    ok.

loop(0) -> ok;
loop(N) -> loop(N - 1).

deep(0) -> 0;
deep(N) -> 1 + deep(N - 1).

caught(X) ->
    try ?MODULE:thrown(X)
    catch throw:X -> ok
    end.

-spec thrown(term()) -> no_return().
thrown(X) -> throw(X).
