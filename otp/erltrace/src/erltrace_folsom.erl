%% Metrics of erltrace_metrics in folsom, for applications that report from there: `handlers => [folsom]`.
%%
%% A metric without labels has its name, a binary, in folsom; one with labels is {Name, [{Label, Value}]}, and all of a
%% name have that name as a tag. Counters are folsom's counters, and gauges its gauges. A distribution is a gauge whose
%% value is [{count, N}, {buckets, [{{Low, High}, N}]}], with {sum, Sum} if the script has it: folsom's histograms keep
%% samples, which a distribution does not have, and made-up ones would give percentiles that nobody has measured.
%%
%% folsom's counters can only be added to. What was told last is kept in the process that calls, so they go on growing
%% when that is started again.
-module(erltrace_folsom).

-export([handle/3]).

-spec handle([atom()], map(), map()) -> ok.
handle([erltrace, metric], Measurements, #{name := Name, type := Type, labels := Labels}) ->
    Id = case lists:sort(maps:to_list(Labels)) of
             [] -> Name;
             Sorted -> {Name, Sorted}
         end,
    tell(Type, Id, Name, Measurements).

tell(counter, Id, Name, #{value := Total}) ->
    Key = {?MODULE, Id},
    Told = case get(Key) of
               undefined ->
                   new(new_counter, Id, Name),
                   0;
               N -> N
           end,
    ok = folsom(notify, [{Id, {inc, Total - Told}}]),
    put(Key, Total),
    ok;
tell(gauge, Id, Name, #{value := Value}) ->
    gauge(Id, Name, Value);
tell(histogram, Id, Name, #{count := Count, buckets := Buckets} = Measurements) ->
    gauge(Id, Name, [{count, Count}, {buckets, Buckets}] ++ [{sum, Sum} || {sum, Sum} <- maps:to_list(Measurements)]).

gauge(Id, Name, Value) ->
    case folsom(notify, [{Id, Value}]) of
        ok -> ok;
        {error, Id, nonexistent_metric} ->
            new(new_gauge, Id, Name),
            ok = folsom(notify, [{Id, Value}])
    end.

%% It may be there already: from before this process was started.
new(Function, Id, Name) ->
    case folsom(Function, [Id]) of
        ok -> ok = folsom(tag_metric, [Id, Name]);
        {error, Id, metric_already_exists} -> ok
    end.

%% folsom is the application's, not ours: it is not there when this is compiled.
folsom(Function, Args) -> apply(folsom_metrics, Function, Args).
