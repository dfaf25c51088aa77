%% What dbg needs for what a ready script tells, in the same node: its handler does the same sums. For rabbitmq.sh.
-module(bench_dbg).
-export([start/1, stop/0]).

start(Kind) ->
    {ok, _} = dbg:tracer(process, {fun handle/2, #{}}),
    trace(Kind),
    ok.

%% stop_clear/0 alone leaves the processes their flags, to which the VM (OTP 25) adds those that the next tracer asks for.
%% And if the handler has crashed, dbg starts anew, knows of no node, and removes nothing, but says ok: so somebody must
%% have been asked.
stop() ->
    {ok, [_ | _]} = dbg:p(all, clear),
    {ok, [_ | _]} = dbg:ctp(),
    ok = dbg:stop_clear().

trace(messages) ->
    {ok, _} = dbg:p(all, [send, running, timestamp]);
trace(collections) ->
    {ok, _} = dbg:p(all, [garbage_collection, timestamp]);
trace(servers) ->
    trace({function, gen, call, 4});
trace({function, M, F, A}) ->
    {ok, _} = dbg:p(all, [call, timestamp]),
    pattern({M, F, A}, [{'_', [], [{return_trace}]}]);
trace({modules, Prefix}) ->
    %% first the patterns: it takes longer once calls come in
    [pattern({M, '_', '_'}, []) || M <- erlang:loaded(), lists:prefix(Prefix, atom_to_list(M))],
    {ok, _} = dbg:p(all, [call, arity]).

pattern(MFA, Spec) ->
    {ok, [{matched, _, _} | _]} = dbg:tpl(MFA, Spec). % of no node if dbg has ended

%% Counts by function; times by what began last, as powers of two; those of calls of servers by server, with the longest,
%% their sum and their number.
handle({trace, _, call, MFA}, Map) -> add(MFA, Map);
handle({trace_ts, Pid, call, {gen, call, [Server | _]}, Ts}, Map) -> Map#{{Pid, gen, call} => {Server, Ts}};
handle({trace_ts, Pid, return_from, {gen, call, 4}, _, Ts}, Map) -> served({Pid, gen, call}, Ts, Map);
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

served(Key, Ts, Map) ->
    case maps:take(Key, Map) of
        {{Server, From}, Rest} ->
            Us = timer:now_diff(Ts, From),
            maps:update_with({server, Server}, fun({N, Sum, Longest}) -> {N + 1, Sum + Us, max(Us, Longest)} end, {1, Us, Us},
                             add({us, Server, bits(Us)}, Rest));
        error -> Map
    end.

bits(0) -> 0;
bits(N) -> 1 + bits(N bsr 1).

add(Key, Map) ->
    maps:update_with(Key, fun(N) -> N + 1 end, 1, Map).
