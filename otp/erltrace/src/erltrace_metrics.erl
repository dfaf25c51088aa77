%% What a script aggregates as metrics of this application: every interval they are given to handlers, in the manner of
%% telemetry, and pushed to an OpenTelemetry collector (OTLP over HTTP, as JSON).
%%
%%     {ok, Pid} = erltrace_metrics:start_link(Script, #{handlers => [fun shop_stats:handle/3],
%%                                                       otlp => "http://localhost:4318/v1/metrics"})
%%
%% The @metric lines of the script name the metrics, as for `erltrace export`; docs/metrics.md has them. Counts, sums and
%% distributions are added up here, so they grow for as long as the process lives. Averages, minima, maxima and deviations
%% are those of the last interval. A metric has at most `rows` rows; what belongs to more keys is added to one whose labels
%% are all "other".
%%
%% It is a callback module of the behaviour erltrace_runner. A handler that fails is taken out, and an error is logged, as telemetry
%% does. A collector that does not answer within 5 s gets the next interval's values, which include those that it missed.
-module(erltrace_metrics).

-export([start_link/2, stop/1, metrics/1]).
-export([init/1, handle_records/2, handle_snapshot/2]).
-export_type([handler/0, options/0, metric/0]).

-type measurements() :: #{value := integer()} | #{count := integer(), buckets := erltrace:buckets(), sum => integer()}.
-type metadata() :: #{name := binary(), type := counter | gauge | histogram, labels := #{binary() => binary()},
                      unit := binary(), help := binary()}.
-type handler() :: telemetry
                 | folsom                                  % erltrace_folsom
                 | {module(), atom()}
                 | fun((Event :: [atom()], measurements(), metadata()) -> term()).
-type options() :: #{handlers => [handler()],
                     otlp => string() | binary(),          % where to push to
                     headers => [{string(), string()}],    % of that request
                     service => iodata(),                  % service.name of the resource; default: the node's name
                     rows => pos_integer(),                % 1000
                     interval => pos_integer(),            % ms, 10000
                     arguments => [term()], open => [erltrace:option()], name => atom()}.
-type metric() :: #{agg := binary(), name := binary(), labels := [binary()], unit := binary(),
                    sum => binary(), help := binary()}.

-define(TIMEOUT, 5000).

-record(state, {metrics :: [metric()] | all,
                handlers :: [handler()],
                otlp :: undefined | string(),
                headers :: [{string(), string()}],
                service :: binary(),
                most :: pos_integer(),
                start :: integer(),                      % ns since 1970
                rows = #{} :: #{{binary(), [binary()]} => row()},
                number = #{} :: #{binary() => non_neg_integer()}}).
-type row() :: {Fn :: atom(), integer() | #{{integer(), integer()} => integer()}, Sum :: integer()}.

-spec start_link(iodata() | erltrace_script:script(), options()) -> {ok, pid()} | {error, term()}.
start_link(Program, Options) ->
    Runner = [{callback, {?MODULE, {metrics(Program), Options}}}, {interval, maps:get(interval, Options, 10000)}]
             ++ [{K, maps:get(K, Options)} || K <- [arguments, name], maps:is_key(K, Options)]
             ++ [{open, [binary | maps:get(open, Options, [])]}],
    erltrace_runner:start_link(Program, Runner).

%% What is already there is delivered first.
-spec stop(pid() | atom()) -> ok.
stop(Pid) -> erltrace_runner:stop(Pid).

%% -- the @metric lines -------------------------------------------------------------------------------------------------

%% The metrics that a script names; `all` if it names none: then every aggregation is one.
-spec metrics(iodata() | erltrace_script:script()) -> [metric()] | all.
metrics(Program) ->
    try unicode:characters_to_binary(Program) of
        Text when is_binary(Text) ->
            Lines = case re:run(Text, "^[ \\t*/]*@metric[ \\t]+(.*?): +(.+?)[ \\t]*(?:\\*/)?$", [global, multiline, {capture, all_but_first, binary}]) of
                        {match, Found} -> Found;
                        nomatch -> []
                    end,
            case [metric(string:lexemes(Words, " \t"), Help) || [Words, Help] <- Lines] of
                [] -> all;
                Metrics -> Metrics
            end;
        _ -> all
    catch error:badarg -> all
    end.

metric([<<"@", Agg/binary>>, Name | Rest], Help) ->
    words(Rest, #{agg => Agg, name => Name, labels => [], unit => <<"1">>, help => Help}).

words([], M) -> M;
words([<<"by">> | Rest], M) -> labels(Rest, M);
words([<<"in">>, Unit | Rest], M) -> words(Rest, M#{unit => unit(Unit)});
words([<<"sum">>, <<"@", Sum/binary>> | Rest], M) -> words(Rest, M#{sum => Sum});
words([<<"buckets">>, _ | Rest], M) -> words(Rest, M);
words([<<"as">>, <<"gauge">> | Rest], M) -> words(Rest, M#{gauge => true});
words([<<"as">>, _ | Rest], M) -> words(Rest, M).

labels([Label | Rest], #{labels := Labels} = M) ->
    case binary:last(Label) of
        $, -> labels(Rest, M#{labels => Labels ++ [binary:part(Label, 0, byte_size(Label) - 1)]});
        _ -> words(Rest, M#{labels => Labels ++ [Label]})
    end.

%% As OpenTelemetry writes units. Values are not converted: buckets at powers of two would not be powers of two any more.
unit(<<"bytes">>) -> <<"By">>;
unit(<<"percent">>) -> <<"%">>;
unit(Unit) -> Unit.

%% -- adding up ---------------------------------------------------------------------------------------------------------

init({Metrics, Options}) ->
    maps:is_key(otlp, Options) andalso application:ensure_all_started(inets),
    {ok, #state{metrics = Metrics,
                handlers = maps:get(handlers, Options, []),
                otlp = case Options of
                           #{otlp := Url} -> unicode:characters_to_list(Url);
                           _ -> undefined
                       end,
                headers = maps:get(headers, Options, []),
                service = unicode:characters_to_binary(maps:get(service, Options, atom_to_list(node()))),
                most = maps:get(rows, Options, 1000),
                start = erlang:system_time(nanosecond)}}.

handle_records(_, S) -> {ok, S}.

handle_snapshot(Snapshot, S) ->
    S1 = lists:foldl(fun add/2, S, Snapshot),
    Known = lists:sort([{metric_of(Agg, S1), Labels, Row} || {{Agg, Labels}, Row} <- maps:to_list(S1#state.rows)]),
    Shown = [{M, Labels, Row} || {M, Labels, Row} <- Known, M =/= none],
    S2 = S1#state{handlers = lists:filter(fun(H) -> tell(H, Shown, S1) end, S1#state.handlers)},
    push(Shown, S2),
    %% gauges are of this interval
    {ok, S2#state{rows = maps:filter(fun(_, {Fn, _, _}) -> is_added(Fn) end, S2#state.rows)}}.

is_added(Fn) -> not lists:member(Fn, [avg, min, max, stddev]).

add({Name, Fn, Keys, Value}, #state{rows = Rows, number = Number, most = Most} = S) ->
    Agg = unicode:characters_to_binary(Name),
    Labels = [text(K) || K <- Keys],
    Had = maps:get(Agg, Number, 0),
    case Rows of
        #{{Agg, Labels} := Row} -> S#state{rows = Rows#{{Agg, Labels} := add_value(Fn, Value, Row)}};
        _ when Had < Most ->
            S#state{rows = Rows#{{Agg, Labels} => add_value(Fn, Value, {Fn, zero(Fn), 0})},
                    number = case is_added(Fn) of
                                 true -> Number#{Agg => Had + 1};
                                 false -> Number
                             end};
        _ ->
            case is_added(Fn) of
                true ->
                    Key = {Agg, [<<"other">> || _ <- Labels]},
                    S#state{rows = Rows#{Key => add_value(Fn, Value, maps:get(Key, Rows, {Fn, zero(Fn), 0}))}};
                false -> S
            end
    end.

text(K) when is_integer(K) -> integer_to_binary(K);
text(K) when is_list(K) -> iolist_to_binary(lists:join(";", [text(F) || F <- K]));
text(K) when is_binary(K) ->
    case unicode:characters_to_binary(K) of
        Text when is_binary(Text) -> Text;
        _ -> unicode:characters_to_binary(binary_to_list(K))
    end.

zero(Fn) when Fn =:= quantize; Fn =:= lquantize; Fn =:= llquantize -> #{};
zero(_) -> 0.

add_value(_, Buckets, {Fn, Sums, Sum}) when is_list(Buckets) ->
    {Fn, lists:foldl(fun({Bounds, N}, Acc) -> Acc#{Bounds => N + maps:get(Bounds, Acc, 0)} end, Sums, Buckets), Sum};
add_value(Fn, N, {Fn, Had, Sum}) ->
    {Fn, case is_added(Fn) of true -> Had + N; false -> N end, Sum}.

metric_of(Agg, #state{metrics = all}) ->
    #{agg => Agg, name => <<"erltrace_", Agg/binary>>, labels => all, unit => <<"1">>, help => <<"@", Agg/binary>>};
metric_of(Agg, #state{metrics = Metrics}) ->
    case [M || #{agg := A} = M <- Metrics, A =:= Agg] of
        [M | _] -> M;
        [] -> none
    end.

%% -- telling -----------------------------------------------------------------------------------------------------------

named(#{labels := all}, Labels) ->
    maps:from_list(lists:zip([<<"key", (integer_to_binary(N))/binary>> || N <- lists:seq(1, length(Labels))], Labels));
named(#{labels := Names}, Labels) ->
    maps:from_list(lists:zip(lists:sublist(Names, length(Labels)), lists:sublist(Labels, length(Names)))).

type(#{gauge := true}, _) -> gauge;
type(_, Fn) when Fn =:= count; Fn =:= sum -> counter;
type(_, Fn) when Fn =:= quantize; Fn =:= lquantize; Fn =:= llquantize -> histogram;
type(_, _) -> gauge.

sum_of(#{sum := Sum}, Labels, #state{rows = Rows}) ->
    case Rows of
        #{{Sum, Labels} := {_, N, _}} -> N;
        _ -> 0
    end;
sum_of(_, _, _) -> undefined.

tell(Handler, Shown, S) ->
    try
        [tell_one(Handler, Row, S) || Row <- Shown],
        true
    catch Class:Reason:Stack ->
        logger:error("erltrace_metrics: a handler has failed and is taken out: ~0tp~n~0tP", [Handler, {Class, Reason, Stack}, 30]),
        false
    end.

tell_one(Handler, {M, Labels, {Fn, Value, _}}, S) ->
    #{name := Name, unit := Unit, help := Help} = M,
    Measurements = case is_map(Value) of
                       true ->
                           Histogram = #{count => lists:sum(maps:values(Value)), buckets => lists:sort(maps:to_list(Value))},
                           case sum_of(M, Labels, S) of
                               undefined -> Histogram;
                               Sum -> Histogram#{sum => Sum}
                           end;
                       false -> #{value => Value}
                   end,
    Metadata = #{name => Name, type => type(M, Fn), labels => named(M, Labels), unit => Unit, help => Help},
    call(Handler, [erltrace, metric], Measurements, Metadata).

call(telemetry, Event, Measurements, Metadata) -> apply(telemetry, execute, [Event, Measurements, Metadata]);
call(folsom, Event, Measurements, Metadata) -> erltrace_folsom:handle(Event, Measurements, Metadata);
call({Module, Function}, Event, Measurements, Metadata) -> Module:Function(Event, Measurements, Metadata);
call(Fun, Event, Measurements, Metadata) -> Fun(Event, Measurements, Metadata).

%% -- OTLP --------------------------------------------------------------------------------------------------------------

push(_, #state{otlp = undefined}) -> ok;
push([], _) -> ok;
push(Shown, #state{otlp = Url, headers = Headers} = S) ->
    Body = iolist_to_binary(json(request(Shown, S))),
    try httpc:request(post, {Url, Headers, "application/json", Body}, [{timeout, ?TIMEOUT}, {connect_timeout, ?TIMEOUT}], [{body_format, binary}]) of
        {ok, {{_, Status, _}, _, _}} when Status >= 200, Status < 300 -> ok;
        {ok, {{_, Status, _}, _, _}} -> logger:warning("erltrace_metrics: ~ts answered with status ~b", [Url, Status]);
        {error, Reason} -> logger:warning("erltrace_metrics: ~ts: ~0tP", [Url, Reason, 20])
    catch Class:Reason -> logger:warning("erltrace_metrics: ~ts: ~0tP", [Url, {Class, Reason}, 20])
    end,
    ok.

request(Shown, #state{service = Service} = S) ->
    Now = erlang:system_time(nanosecond),
    ByMetric = lists:foldl(fun({M, Labels, Row}, Acc) -> maps:update_with(M, fun(Rows) -> [{Labels, Row} | Rows] end, [{Labels, Row}], Acc) end, #{}, Shown),
    #{resourceMetrics =>
          [#{resource => #{attributes => [attribute(<<"service.name">>, Service),
                                          attribute(<<"service.instance.id">>, atom_to_binary(node(), utf8))]},
             scopeMetrics => [#{scope => #{name => <<"erltrace">>},
                                metrics => [otlp(M, Rows, Now, S) || {M, Rows} <- lists:sort(maps:to_list(ByMetric))]}]}]}.

otlp(#{name := Name, unit := Unit, help := Help} = M, [{_, {Fn, _, _}} | _] = Rows, Now, S) ->
    Points = [point(M, Labels, Row, Now, S) || {Labels, Row} <- lists:sort(Rows)],
    Head = #{name => Name, description => Help, unit => Unit},
    case type(M, Fn) of
        counter -> Head#{sum => #{dataPoints => Points, aggregationTemporality => 2, isMonotonic => true}};
        gauge -> Head#{gauge => #{dataPoints => Points}};
        histogram when Fn =:= quantize -> Head#{exponentialHistogram => #{dataPoints => Points, aggregationTemporality => 2}};
        histogram -> Head#{histogram => #{dataPoints => Points, aggregationTemporality => 2}}
    end.

point(M, Labels, {Fn, Value, _}, Now, #state{start = Start} = S) ->
    Attributes = [attribute(K, V) || {K, V} <- lists:sort(maps:to_list(named(M, Labels)))],
    Point = #{attributes => Attributes, startTimeUnixNano => number(Start), timeUnixNano => number(Now)},
    case is_map(Value) of
        false -> Point#{asInt => number(Value)};
        true ->
            Sum = case sum_of(M, Labels, S) of
                      undefined -> #{};
                      N -> #{sum => N}
                  end,
            Count = #{count => number(lists:sum(maps:values(Value)))},
            maps:merge(maps:merge(Point, maps:merge(Sum, Count)), buckets(Fn, Value))
    end.

%% Scale 0: bucket i of OTLP is for values over 2^i up to 2^(i+1); that of quantize() for 2^i to 2^(i+1) - 1. They differ
%% for values that are a power of two: those count in the bucket above the one that OTLP has for them.
buckets(quantize, Value) ->
    Zero = maps:get({0, 0}, Value, 0),
    Side = fun(Counts) ->
                   case lists:sort(Counts) of
                       [] -> #{offset => 0, bucketCounts => []};
                       [{First, _} | _] = Sorted ->
                           {Last, _} = lists:last(Sorted),
                           #{offset => First, bucketCounts => [number(proplists:get_value(I, Sorted, 0)) || I <- lists:seq(First, Last)]}
                   end
           end,
    #{scale => 0, zeroCount => number(Zero),
      positive => Side([{log2(Low), N} || {{Low, _}, N} <- maps:to_list(Value), Low > 0]),
      negative => Side([{log2(-High), N} || {{_, High}, N} <- maps:to_list(Value), High < 0])};
buckets(_, Value) ->
    %% edges on both sides of every bucket that has something in it
    Open = [-9223372036854775808, 9223372036854775807],
    Edges = lists:usort([E || {{Low, High}, _} <- maps:to_list(Value), E <- [Low - 1, High], not lists:member(E + 1, Open), not lists:member(E, Open)]),
    Counts = maps:fold(fun({_, High}, N, Acc) -> Acc#{High => N + maps:get(High, Acc, 0)} end, #{}, Value),
    All = lists:sum(maps:values(Value)),
    Bucketed = [maps:get(E, Counts, 0) || E <- Edges],
    #{explicitBounds => Edges, bucketCounts => [number(N) || N <- Bucketed ++ [All - lists:sum(Bucketed)]]}.

log2(N) -> log2(N, 0).
log2(1, I) -> I;
log2(N, I) -> log2(N bsr 1, I + 1).

attribute(Key, Value) -> #{key => Key, value => #{stringValue => Value}}.

%% 64-bit numbers are text in the JSON of protobuf.
number(N) -> integer_to_binary(N).

%% -- JSON: what this module needs of it -------------------------------------------------------------------------------

json(M) when is_map(M) ->
    [${, lists:join($,, [[json(atom_to_binary(K, utf8)), $:, json(V)] || {K, V} <- lists:sort(maps:to_list(M))]), $}];
json(L) when is_list(L) -> [$[, lists:join($,, [json(E) || E <- L]), $]];
json(N) when is_integer(N) -> integer_to_binary(N);
json(B) when is_boolean(B) -> atom_to_binary(B, utf8);
json(T) when is_binary(T) -> [$", [escaped(C) || C <- unicode:characters_to_list(T)], $"].

escaped($") -> <<"\\\"">>;
escaped($\\) -> <<"\\\\">>;
escaped(C) when C < 32 -> io_lib:format("\\u~4.16.0b", [C]);
escaped(C) -> <<C/utf8>>.
