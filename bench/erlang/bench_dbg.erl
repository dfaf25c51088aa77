%% What dbg needs for what a ready script tells, in the same node: its handler does the same sums. For rabbitmq.sh.
-module(bench_dbg).
-export([start/1, stop/0]).

start(Kind) ->
    {ok, _} = dbg:tracer(process, {fun handle/2, #{}}),
    trace(Kind),
    ok.

stop() ->
    dbg:stop_clear().

trace(messages) ->
    {ok, _} = dbg:p(all, [send, running, timestamp]);
trace(collections) ->
    {ok, _} = dbg:p(all, [garbage_collection, timestamp]);
trace({function, M, F, A}) ->
    {ok, _} = dbg:p(all, [call, timestamp]),
    {ok, _} = dbg:tpl(M, F, A, [{'_', [], [{return_trace}]}]);
trace({modules, Prefix}) ->
    {ok, _} = dbg:p(all, [call, arity]),
    [dbg:tpl(M, '_', '_', []) || M <- erlang:loaded(), lists:prefix(Prefix, atom_to_list(M))].

%% Counts by function; times by what began last, as powers of two.
handle({trace, _, call, MFA}, Map) -> add(MFA, Map);
handle({trace_ts, Pid, call, {M, F, Args}, Ts}, Map) -> Map#{{Pid, M, F, length(Args)} => Ts};
handle({trace_ts, Pid, return_from, {M, F, A}, _, Ts}, Map) -> since({Pid, M, F, A}, Ts, Map);
handle({trace_ts, _, send, _, To, Ts}, Map) when is_pid(To), not is_map_key(To, Map) -> Map#{To => Ts};
handle({trace_ts, Pid, in, _, Ts}, Map) -> since(Pid, Ts, Map);
handle({trace_ts, Pid, gc_minor_start, _, Ts}, Map) -> Map#{Pid => Ts};
handle({trace_ts, Pid, gc_major_start, _, Ts}, Map) -> Map#{Pid => Ts};
handle({trace_ts, Pid, gc_minor_end, _, Ts}, Map) -> since(Pid, Ts, Map);
handle({trace_ts, Pid, gc_major_end, _, Ts}, Map) -> since(Pid, Ts, Map);
handle(_, Map) -> Map.

since(Key, Ts, Map) ->
    case maps:take(Key, Map) of
        {From, Rest} -> add({us, bits(timer:now_diff(Ts, From))}, Rest);
        error -> Map
    end.

bits(0) -> 0;
bits(N) -> 1 + bits(N bsr 1).

add(Key, Map) ->
    maps:update_with(Key, fun(N) -> N + 1 end, 1, Map).
