%% The metrics of erltrace_metrics for Prometheus: as text (format 0.0.4, and OpenMetrics 1.0), and a small server that
%% offers it at /metrics, for applications without an HTTP server of their own.
%%
%% Names, units and edges follow the rules of `erltrace export` (docs/metrics.md). Values become seconds by moving the
%% decimal point, so that the edge of a bucket is the same text in every scrape. A distribution tells only which buckets
%% it has used, so those have their edges, lower and upper; quantize() with `buckets` has all of that range.
%%
%% The server has 16 processes, each for one connection at a time, and each connection is for one request. One that does
%% not ask or read is cut off after 10 and 30 s.
-module(erltrace_scrape).

-export([start_link/2, processes/1, stop/1, text/3, content_type/1]).
-export_type([format/0, family/0, server/0]).

-opaque server() :: {gen_tcp:socket(), Workers :: [pid()]}.
-type format() :: prometheus | openmetrics.
-type row() :: {Labels :: [{binary(), binary()}], integer() | {#{{integer(), integer()} => integer()}, Sum :: integer() | undefined}}.
-type family() :: {#{name := binary(), unit := binary(), help := binary(), type := counter | gauge | histogram,
                     range => {integer(), integer()}, quantize => boolean()}, [row()]}.

-define(CONNECTIONS, 16).
-define(ASKS_MS, 10000).
-define(READS_MS, 30000).

%% -- text --------------------------------------------------------------------------------------------------------------

-spec content_type(format()) -> binary().
content_type(prometheus) -> <<"text/plain; version=0.0.4; charset=utf-8">>;
content_type(openmetrics) -> <<"application/openmetrics-text; version=1.0.0; charset=utf-8">>.

%% More: metrics of erltrace itself, counters without a unit.
-spec text(format(), [family()], [family()]) -> iolist().
text(Format, Families, More) ->
    [[family(Format, F) || F <- Families ++ More], [<<"# EOF\n">> || Format =:= openmetrics]].

family(Format, {#{name := Name, type := Type, help := Help, unit := Unit} = M, Rows}) ->
    {Called, Decimals} = unit(Unit),
    Base = case Type of
               counter -> without_total(Name);
               _ -> Name
           end,
    Head = case {Type, Format} of
               {counter, prometheus} -> [Base, <<"_total">>];
               _ -> Base
           end,
    [[<<"# TYPE ">>, Head, $\s, atom_to_binary(Type, utf8), $\n],
     [[<<"# UNIT ">>, Base, $\s, Called, $\n] || Format =:= openmetrics, Called =/= none, ends_in(Base, Called)],
     [<<"# HELP ">>, Head, $\s, escaped(Help, Format =:= openmetrics), $\n],
     case Type of
         histogram ->
             Edges = edges(M, Rows),
             [histogram(Format, Base, Labels, Value, Edges, Decimals) || {Labels, Value} <- Rows];
         counter -> [[sample([Base, <<"_total">>], Labels), number(N, Decimals), $\n] || {Labels, N} <- Rows];
         gauge -> [[sample(Base, Labels), number(N, Decimals), $\n] || {Labels, N} <- Rows]
     end].

unit(<<"ns">>) -> {<<"seconds">>, 9};
unit(<<"us">>) -> {<<"seconds">>, 6};
unit(<<"ms">>) -> {<<"seconds">>, 3};
unit(<<"s">>) -> {<<"seconds">>, 0};
unit(<<"By">>) -> {<<"bytes">>, 0};
unit(<<"%">>) -> {<<"ratio">>, 2};
unit(_) -> {none, 0}.

without_total(Name) ->
    Size = byte_size(Name) - 6,
    case Name of
        <<Base:Size/binary, "_total">> when Size > 0 -> Base;
        _ -> Name
    end.

%% OpenMetrics wants the unit in the name.
ends_in(Name, Unit) ->
    Size = byte_size(Name) - byte_size(Unit) - 1,
    Size > 0 andalso binary:part(Name, Size, byte_size(Unit) + 1) =:= <<"_", Unit/binary>>.

sample(Name, []) -> [Name, $\s];
sample(Name, Labels) -> [Name, ${, lists:join($,, [[K, <<"=\"">>, escaped(V, true), $"] || {K, V} <- Labels]), <<"} ">>].

escaped(Text, Quotes) ->
    [case C of
         $\n -> <<"\\n">>;
         $\\ -> <<"\\\\">>;
         $" when Quotes -> <<"\\\"">>;
         _ -> C
     end || <<C>> <= Text].

%% Exactly: 1500 with 3 decimals is 1.5.
number(N, 0) -> integer_to_binary(N);
number(N, Decimals) when N < 0 -> [$-, number(-N, Decimals)];
number(N, Decimals) ->
    By = power(10, Decimals),
    Whole = integer_to_binary(N div By),
    case N rem By of
        0 -> Whole;
        Rest -> [Whole, $., string:trim(string:pad(integer_to_list(Rest), Decimals, leading, $0), trailing, "0")]
    end.

power(_, 0) -> 1;
power(N, Exp) -> N * power(N, Exp - 1).

%% The upper ends of the buckets that are shown, without the last.
edges(#{quantize := true, range := {Low, High}}, _) ->
    within(Low, High, lists:usort([-power(2, K) || K <- lists:seq(0, 62)] ++ [power(2, K) - 1 || K <- lists:seq(0, 62)]));
edges(M, Rows) ->
    Used = lists:usort([E || {_, {Buckets, _}} <- Rows, {{Low, High}, N} <- maps:to_list(Buckets), N =/= 0, E <- [Low - 1, High]]),
    %% that nothing is below 0 needs no edge
    Least = case [H || {_, {Buckets, _}} <- Rows, {{_, H}, N} <- maps:to_list(Buckets), N =/= 0, H < 0] of
                [] -> 0;
                _ -> -(1 bsl 63) + 1
            end,
    Known = [E || E <- Used, E >= Least, E < 1 bsl 63 - 1],
    case M of
        #{range := {Low, High}} -> within(Low, High, Known);
        _ -> Known
    end.

%% From the bucket of Low to that of High.
within(Low, High, Edges) ->
    {Before, Behind} = lists:splitwith(fun(E) -> E < High end, [E || E <- Edges, E >= Low]),
    Before ++ lists:sublist(Behind, 1).

histogram(Format, Name, Labels, {Buckets, Sum}, Edges, Decimals) ->
    Sorted = lists:sort([{High, N} || {{_, High}, N} <- maps:to_list(Buckets)]),
    All = lists:sum([N || {_, N} <- Sorted]),
    IsNegative = case Edges of
                     [First | _] -> First < 0;
                     [] -> false
                 end,
    [[bucket(Name, Labels, edge(Format, E, Decimals), N) || {E, N} <- below(Edges, Sorted, 0)],
     bucket(Name, Labels, <<"+Inf">>, All),
     %% OpenMetrics has no sum if there are negative values
     [[sample([Name, <<"_sum">>], Labels), number(Sum, Decimals), $\n] || Sum =/= undefined, not (IsNegative andalso Format =:= openmetrics)],
     sample([Name, <<"_count">>], Labels), integer_to_binary(All), $\n].

bucket(Name, Labels, Le, N) ->
    [sample([Name, <<"_bucket">>], Labels ++ [{<<"le">>, Le}]), integer_to_binary(N), $\n].

edge(Format, E, Decimals) ->
    Text = iolist_to_binary(number(E, Decimals)),
    case Format =:= openmetrics andalso binary:match(Text, <<".">>) =:= nomatch of
        true -> <<Text/binary, ".0">>;
        false -> Text
    end.

%% How many are at most each edge.
below([], _, _) -> [];
below([E | _] = Edges, [{High, N} | Rest], Sum) when High =< E -> below(Edges, Rest, Sum + N);
below([E | Edges], Rest, Sum) -> [{E, Sum} | below(Edges, Rest, Sum)].

%% -- the server --------------------------------------------------------------------------------------------------------

%% Of a process that answers the call {scrape, Format} with text; it owns the server.
-spec start_link(pid(), inet:port_number() | {inet:ip_address(), inet:port_number()}) -> {ok, server(), inet:port_number()} | {error, inet:posix()}.
start_link(Metrics, {Address, Port}) ->
    Family = case tuple_size(Address) of
                 8 -> inet6;
                 _ -> inet
             end,
    case gen_tcp:listen(Port, [Family, binary, {ip, Address}, {active, false}, {reuseaddr, true}, {packet, http_bin}, {packet_size, 8192},
                               {backlog, 64}, {send_timeout, ?READS_MS}, {send_timeout_close, true}]) of
        {ok, Socket} ->
            {ok, Number} = inet:port(Socket),
            {ok, {Socket, [spawn_link(fun() -> erltrace_session:hide(), accept(Socket, Metrics) end) || _ <- lists:seq(1, ?CONNECTIONS)]}, Number};
        {error, _} = Error -> Error
    end;
start_link(Metrics, Port) ->
    start_link(Metrics, {{127, 0, 0, 1}, Port}).

%% Its processes: a script should not see them.
-spec processes(server()) -> [pid()].
processes({_, Workers}) -> Workers.

%% The port is free when this returns.
-spec stop(server()) -> ok.
stop({Socket, Workers}) ->
    [begin unlink(P), exit(P, kill) end || P <- Workers],
    gen_tcp:close(Socket).

accept(Socket, Metrics) ->
    case gen_tcp:accept(Socket) of
        {ok, S} ->
            Late = erlang:start_timer(?ASKS_MS, self(), late),
            try serve(S, Late, Metrics) catch _:_ -> ok end,
            gen_tcp:close(S),
            erlang:cancel_timer(Late);
        {error, closed} -> exit(normal);
        {error, _} -> timer:sleep(100) % no memory or files at the moment, a firewall
    end,
    forget(),
    accept(Socket, Metrics).

%% What came too late for a connection that is over.
forget() ->
    receive _ -> forget() after 0 -> ok end.

serve(S, Late, Metrics) ->
    case request(S, Late) of
        {ok, Path, Accept} -> answer(S, Path, Accept, Metrics);
        bad -> reply(S, <<"400 Bad Request">>, <<"text/plain">>, <<"Only GET /metrics is answered here.\n">>);
        gone -> ok
    end,
    gen_tcp:shutdown(S, write),
    read_rest(S, 16).

%% A connection that is closed while something is unread is reset, and the client may lose the answer.
read_rest(_, 0) -> ok;
read_rest(S, Most) ->
    case gen_tcp:recv(S, 0, 1000) of
        {ok, _} -> read_rest(S, Most - 1);
        {error, _} -> ok
    end.

request(S, Late) ->
    case gen_tcp:recv(S, 0, ?ASKS_MS) of
        {ok, {http_request, 'GET', {abs_path, Path}, _}} -> headers(S, Late, Path, <<>>, 100);
        {ok, _} -> bad;
        {error, _} -> gone
    end.

headers(_, _, _, _, 0) -> bad;
headers(S, Late, Path, Accept, Most) ->
    IsLate = erlang:read_timer(Late) =:= false,
    case gen_tcp:recv(S, 0, ?ASKS_MS) of
        _ when IsLate -> gone;
        {ok, http_eoh} -> {ok, Path, Accept};
        {ok, {http_header, _, 'Accept', _, Value}} -> headers(S, Late, Path, Value, Most - 1);
        {ok, {http_header, _, _, _, _}} -> headers(S, Late, Path, Accept, Most - 1);
        {ok, _} -> bad;
        {error, _} -> gone
    end.

answer(S, Path, Accept, Metrics) ->
    case binary:split(Path, <<"?">>) of
        [<<"/metrics">> | _] ->
            Format = case binary:match(Accept, <<"application/openmetrics-text">>) of
                         nomatch -> prometheus;
                         _ -> openmetrics
                     end,
            try gen_server:call(Metrics, {scrape, Format}, ?ASKS_MS) of
                Text -> reply(S, <<"200 OK">>, content_type(Format), Text)
            catch exit:_ -> reply(S, <<"503 Service Unavailable">>, <<"text/plain">>, <<"There are no metrics now.\n">>)
            end;
        _ -> reply(S, <<"404 Not Found">>, <<"text/plain">>, <<"There is only /metrics here.\n">>)
    end.

reply(S, Status, Type, Body) ->
    inet:setopts(S, [{packet, raw}]),
    gen_tcp:send(S, [<<"HTTP/1.1 ">>, Status, <<"\r\nContent-Type: ">>, Type, <<"\r\nContent-Length: ">>, integer_to_binary(iolist_size(Body)),
                     <<"\r\nConnection: close\r\n\r\n">>, Body]).
