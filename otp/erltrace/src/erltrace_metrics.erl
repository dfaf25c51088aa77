%% What a script aggregates as metrics of this application: every interval they are given to handlers, in the manner of
%% telemetry, and pushed to an OpenTelemetry collector (OTLP over HTTP, as JSON). Prometheus gets them as text, from the
%% application's own HTTP server (scrape/2) or from one that is started here (`listen`).
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
%% does. A collector is pushed to by a process of its own, one push at a time. One that does not answer within 5 s gets the
%% values of a later interval, which include those that it missed.
-module(erltrace_metrics).

-export([start_link/2, stop/1, scrape/1, scrape/2, port/1, metrics/1]).
-export([init/1, handle_records/2, handle_snapshot/2, handle_call/2, terminate/2]).
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
                     listen => inet:port_number() | {inet:ip_address(), inet:port_number()}, % GET /metrics; a port: of 127.0.0.1
                     rows => pos_integer(),                % 1000
                     interval => pos_integer(),            % ms, 10000
                     arguments => [term()], open => [erltrace:option()], name => atom()}.
-type metric() :: #{agg := binary(), name := binary(), labels := [binary()], unit := binary(),
                    sum => binary(), gauge => true, range => {integer(), integer()}, help := binary()}.

-define(TIMEOUT, 5000).

-record(state, {metrics :: [metric()] | all,
                handlers :: [handler()],
                otlp :: undefined | string(),
                headers :: [{string(), string()}],
                service :: binary(),
                most :: pos_integer(),
                start :: integer(),                      % ns since 1970
                server = none :: none | {erltrace_scrape:server(), inet:port_number()},
                pusher = none :: none | pid(),
                shown = [] :: [{metric(), [binary()], row()}],           % the last that was told
                drops = #{} :: #{atom() => non_neg_integer()},
                notices = #{} :: #{atom() => non_neg_integer()},
                faults = 0 :: non_neg_integer(),
                rows = #{} :: #{{binary(), [binary()]} => row()},
                known = #{} :: #{{binary(), [binary()]} => true},                     % rows of what is added up
                number = #{} :: #{binary() | {gauge, binary()} => non_neg_integer()}}). % how many rows
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

%% What Prometheus wants: the type of the content, and the text of the last interval.
-spec scrape(pid() | atom()) -> {binary(), iodata()}.
scrape(Pid) -> scrape(Pid, prometheus).

-spec scrape(pid() | atom(), erltrace_scrape:format()) -> {binary(), iodata()}.
scrape(Pid, Format) -> {erltrace_scrape:content_type(Format), gen_server:call(Pid, {scrape, Format})}.

%% Where it listens; `none` without the option.
-spec port(pid() | atom()) -> inet:port_number() | none.
port(Pid) -> gen_server:call(Pid, port).

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
words([<<"buckets">>, Range | Rest], M) ->
    try [binary_to_integer(N) || N <- binary:split(Range, <<"..">>)] of
        [Low, High] -> words(Rest, M#{range => {Low, High}});
        _ -> words(Rest, M)
    catch error:badarg -> words(Rest, M)
    end;
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
    S = start_pusher(new(Metrics, Options)),
    Pushers = [P || P <- [S#state.pusher], P =/= none],
    case Options of
        #{listen := Where} ->
            case erltrace_scrape:start_link(self(), Where) of
                {ok, Server, Port} -> {ok, S#state{server = {Server, Port}}, unhidden(Pushers ++ erltrace_scrape:processes(Server))};
                {error, Reason} -> {stop, {shutdown, {dtrace, listen, inet:format_error(Reason)}}}
            end;
        _ -> {ok, S, unhidden(Pushers)}
    end.

%% From OTP 27 on they are hidden (erltrace_session:hide/0). If they were named, calls could not be counted by the VM.
unhidden(Pids) ->
    case erltrace_session:is_separate() of
        true -> [];
        false -> Pids
    end.

new(Metrics, Options) ->
    #state{metrics = Metrics,
           handlers = maps:get(handlers, Options, []),
           otlp = case Options of
                      #{otlp := Url} -> unicode:characters_to_list(Url);
                      _ -> undefined
                  end,
           headers = maps:get(headers, Options, []),
           service = unicode:characters_to_binary(maps:get(service, Options, atom_to_list(node()))),
           most = maps:get(rows, Options, 1000),
           start = erlang:system_time(nanosecond)}.

terminate(_, S) ->
    case S#state.server of
        {Server, _} -> erltrace_scrape:stop(Server);
        none -> ok
    end,
    finish_push(S).

handle_call(port, #state{server = none}) -> {reply, none};
handle_call(port, #state{server = {_, Port}}) -> {reply, Port};
handle_call({scrape, Format}, S) -> {reply, erltrace_scrape:text(Format, families(S), own(S))};
handle_call(_, _) -> {reply, {error, unknown}}.

%% Records go nowhere; what was dropped, what failed and what was noticed is counted.
handle_records(Records, S) -> {ok, lists:foldl(fun count/2, S, Records)}.

count({drop, Kind, N}, #state{drops = Drops} = S) -> S#state{drops = Drops#{Kind => N + maps:get(Kind, Drops, 0)}};
count({fault, _, _}, #state{faults = N} = S) -> S#state{faults = N + 1};
count({notice, Kind, _}, #state{notices = Notices} = S) -> S#state{notices = Notices#{Kind => 1 + maps:get(Kind, Notices, 0)}};
count(_, S) -> S.

handle_snapshot(Snapshot, S) ->
    S1 = lists:foldl(fun add/2, S, Snapshot),
    Shown = lists:sort([{M, Labels, Row} || {{Agg, Labels}, Row} <- maps:to_list(S1#state.rows), M <- metrics_of(Agg, S1)]),
    S2 = S1#state{handlers = lists:filter(fun(H) -> tell(H, Shown, S1) end, S1#state.handlers)},
    push(Shown, S2),
    %% gauges are of this interval
    {ok, S2#state{shown = Shown,
                  rows = maps:filter(fun(_, {Fn, _, _}) -> is_added(Fn) end, S2#state.rows),
                  number = maps:filter(fun(Of, _) -> is_binary(Of) end, S2#state.number)}}.

is_added(Fn) -> not lists:member(Fn, [avg, min, max, stddev]).

add({Name, Fn, Keys, Value}, S) ->
    Agg = unicode:characters_to_binary(Name),
    Labels = [text(K) || K <- Keys],
    {Place, S1} = place(Agg, Labels, is_added(Fn), S),
    case Place of
        none -> S1;
        _ ->
            Rows = S1#state.rows,
            S1#state{rows = Rows#{{Agg, Place} => add_value(Fn, Value, maps:get({Agg, Place}, Rows, {Fn, zero(Fn), 0}))}}
    end.

%% The labels of the row that has room for it. A distribution and its sum have the same rows, whatever comes first.
place(Agg, Labels, true, #state{known = Known} = S) ->
    Of = shown_with(Agg, S),
    case Known of
        #{{Of, Labels} := true} -> {Labels, S};
        _ ->
            case room(Of, S) of
                {true, S1} -> {Labels, S1#state{known = Known#{{Of, Labels} => true}}};
                false -> {[<<"other">> || _ <- Labels], S}
            end
    end;
place(Agg, Labels, false, #state{rows = Rows} = S) ->
    case Rows of
        #{{Agg, Labels} := _} -> {Labels, S};
        _ ->
            case room({gauge, Agg}, S) of
                {true, S1} -> {Labels, S1};
                false -> {none, S}
            end
    end.

room(Of, #state{number = Number, most = Most} = S) ->
    case maps:get(Of, Number, 0) of
        N when N < Most -> {true, S#state{number = Number#{Of => N + 1}}};
        _ -> false
    end.

%% The aggregation whose sum it is; otherwise itself.
shown_with(Agg, #state{metrics = all}) -> Agg;
shown_with(Agg, #state{metrics = Metrics}) ->
    case [A || #{sum := Sum, agg := A} <- Metrics, Sum =:= Agg] of
        [A | _] -> A;
        [] -> Agg
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

metrics_of(Agg, #state{metrics = all}) ->
    [#{agg => Agg, name => <<"erltrace_", Agg/binary>>, labels => all, unit => <<"1">>, help => <<"@", Agg/binary>>}];
metrics_of(Agg, #state{metrics = Metrics}) ->
    [M || #{agg := A} = M <- Metrics, A =:= Agg].

%% -- telling -----------------------------------------------------------------------------------------------------------

named(M, Labels) -> maps:from_list(pairs(M, Labels)).

pairs(#{labels := all}, Labels) -> lists:zip([<<"key", (integer_to_binary(N))/binary>> || N <- lists:seq(1, length(Labels))], Labels);
pairs(#{labels := Names}, Labels) -> lists:zip(lists:sublist(Names, length(Labels)), lists:sublist(Labels, length(Names))).

%% A distribution is a histogram, whatever the script says.
type(_, Fn) when Fn =:= quantize; Fn =:= lquantize; Fn =:= llquantize -> histogram;
type(#{gauge := true}, _) -> gauge;
type(_, Fn) when Fn =:= count; Fn =:= sum -> counter;
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

%% -- Prometheus --------------------------------------------------------------------------------------------------------

%% Each metric with its rows.
families(#state{shown = Shown} = S) ->
    ByMetric = lists:foldr(fun({M, Labels, Row}, Acc) -> maps:update_with(M, fun(Rows) -> [{Labels, Row} | Rows] end, [{Labels, Row}], Acc) end, #{}, Shown),
    [{M#{type => type(M, Fn), quantize => Fn =:= quantize}, [{pairs(M, Labels), value(M, Labels, Row, S)} || {Labels, Row} <- Rows]}
     || {M, [{_, {Fn, _, _}} | _] = Rows} <- lists:sort(maps:to_list(ByMetric))].

value(M, Labels, {_, Value, _}, S) when is_map(Value) -> {Value, sum_of(M, Labels, S)};
value(_, _, {_, Value, _}, _) -> Value.

own(#state{drops = Drops, notices = Notices, faults = Faults}) ->
    Own = fun(Name, Help, Rows) -> {#{name => Name, type => counter, unit => <<"1">>, help => Help}, Rows} end,
    [Own(<<"erltrace_script_errors">>, <<"Faults of the script's clauses, such as a division by zero.">>, [{[], Faults}])]
    ++ [Own(Name, Help, [{[{Label, atom_to_binary(K, utf8)}], N} || {K, N} <- lists:sort(maps:to_list(Counts))])
        || {Name, Label, Counts, Help} <- [{<<"erltrace_script_drops">>, <<"cause">>, Drops, <<"What was dropped, by cause.">>},
                                           {<<"erltrace_script_notices">>, <<"kind">>, Notices, <<"What was noticed about tracing, such as a node that is lost.">>}],
           map_size(Counts) > 0].

%% -- OTLP --------------------------------------------------------------------------------------------------------------

start_pusher(#state{otlp = undefined} = S) -> S;
start_pusher(#state{otlp = Url, headers = Headers} = S) ->
    {ok, _} = application:ensure_all_started(inets),
    S#state{pusher = spawn_link(fun() -> erltrace_session:hide(), pusher(Url, Headers) end)}.

pusher(Url, Headers) ->
    receive
        {push, Body} ->
            post(Url, Headers, latest(Body)),
            pusher(Url, Headers);
        stop -> ok
    end.

latest(Body) ->
    receive {push, Later} -> latest(Later) after 0 -> Body end.

push(_, #state{pusher = none}) -> ok;
push([], _) -> ok;
push(Shown, #state{pusher = Pusher} = S) ->
    Pusher ! {push, iolist_to_binary(json(request(Shown, S)))},
    ok.

%% At the end what came last is pushed, too.
finish_push(#state{pusher = none}) -> ok;
finish_push(#state{pusher = Pusher}) ->
    Ref = monitor(process, Pusher),
    Pusher ! stop,
    receive {'DOWN', Ref, process, _, _} -> ok end.

post(Url, Headers, Body) ->
    try httpc:request(post, {Url, Headers, "application/json", Body}, [{timeout, ?TIMEOUT}, {connect_timeout, ?TIMEOUT}], [{body_format, binary}]) of
        {ok, {{_, Status, _}, _, _}} when Status >= 200, Status < 300 -> ok;
        {ok, {{_, Status, _}, _, _}} -> logger:warning("erltrace_metrics: ~ts answered with status ~b", [Url, Status]);
        {error, Reason} -> logger:warning("erltrace_metrics: ~ts: ~0tP", [Url, Reason, 20])
    catch Class:Reason -> logger:warning("erltrace_metrics: ~ts: ~0tP", [Url, {Class, Reason}, 20])
    end.

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
