#!/usr/bin/env escript
%% seeds_node.escript FOLDER: writes the seeds of fuzz_node.c, as a node of this version would talk. Run it when the
%% protocol has changed (src/node/protocol.h). fuzz_node fails then, because no talk gets as far as tracing.
main([Folder]) ->
    [file:write_file(filename:join(Folder, Name), Bytes) || {Name, Bytes} <- seeds()],
    ok.

%% The first byte, then pieces: see fuzz_node.c.
seed(First, Pieces) ->
    [First | [[How, <<(iolist_size(Bytes)):16/little>>, Bytes] || {How, Bytes} <- Pieces]].

answer(Term) -> {1, bytes(Term)}.
again(Term) -> {4, bytes(Term)}.
rex(Term) -> {2, bytes(Term)}.

bytes(Term) ->
    <<131, Bytes/binary>> = term_to_binary(Term),
    Bytes.

number(File, Before) ->
    {ok, Text} = file:read_file(filename:join([filename:dirname(escript:script_name()), "..", File])),
    {match, [N]} = re:run(Text, [Before, "\\s*([0-9]+)"], [{capture, all_but_first, list}]),
    list_to_integer(N).

%% -- what travels: src/node/wire.h

record(No, Records) ->
    iolist_to_binary([<<No:64/little>> | [[<<0:32/little, Epid:32/little, 0:32/little, (byte_size(Data)):32/little, 99:64/little, 0:64/little,
                                           (-1):32/little, 0:32/little, 0:32/little, 0:32/little>>, padded(Data)] || {Epid, Data} <- Records]]).

fault(Epid) ->
    <<0:32/little, Epid:32/little, 0:32/little, 0:32/little, 99:64/little, 1:64/little, 4:32/little, 1:32/little, 0:32/little, 0:32/little>>.

aggs(No, Aggs) ->
    iolist_to_binary([<<No:64/little>> | [[<<Agg:32/little, (byte_size(Key)):32/little, (length(Words)):32/little, 0:32/little>>, padded(Key),
                                           [<<W:64/little>> || W <- Words]] || {Agg, Key, Words} <- Aggs]]).

padded(Bytes) ->
    [Bytes, binary:copy(<<0>>, -byte_size(Bytes) band 7)].

work(Exiting, Records, Aggs) -> work(Exiting, Records, Aggs, <<>>).
work(Exiting, Records, Aggs, Ended) ->
    %% When the command asks for the status alone is a matter of time, so this is an answer to that, too.
    Status = status(Exiting, Ended),
    answer(Status#{status => Status, records => Records, aggregations => Aggs}).

status(Exiting, Ended) ->
    #{exiting => Exiting, exit_status => 0, filled => false, errors => 0, spent => 1000, drops => #{'PRINCIPAL' => 3}, ended => Ended}.

%% -- talks

open() -> answer({ok, #{memory => 12}}).
bound(N) -> answer({ok, lists:seq(0, N - 1)}).
started(N) -> answer({ok, [#{epid => I, probe => I - 1, clause => I - 1, group => I - 1} || I <- lists:seq(1, N)]}).
st() -> answer(status(false, <<>>)). %% before tracing is switched on: a clause of BEGIN may have called exit()
on() -> answer({ok, #{notes => [<<"n">>]}}).
%% To `stop` and its like any answer will do; this one will also do when more is taken out instead.
ok() -> work(true, record(9, []), aggs(9, [])).

key(Size, Text) ->
    <<Text/binary, 0:((Size - byte_size(Text)) * 8)>>.

seeds() ->
    Pid = self(),
    Info = #{protocol => number("src/node/protocol.h", "NODE_PROTOCOL ="), os_pid => 12, otp_release => <<"25">>, flavor => jit,
             schedulers => 2, node => <<"x@y">>},
    Aggs = [{0, <<(key(8, <<"<0.1.0>">>))/binary, 5:64/little>>, [3]}, {0, <<"<0.1.0>", 0, 0:64>>, [1]}],
    Attach = [rex(ok), rex(Info), rex(true), rex({ok, Pid})],
    Missing = {error, [{erltrace_agent, nofile}, {erltrace_hub, nofile}]},
    [{"attach", seed(0, Attach ++ [open(), bound(2), started(2), st(), on(), work(false, record(1, []), aggs(1, Aggs)), work(true, record(2, []), aggs(2, [])), ok(), ok()])},
     {"attach_missing", seed(0, [rex(Missing), rex(Pid), rex(true), rex(Missing)])},
     {"attach_refused", seed(0, [rex({badrpc, {'EXIT', {undef, [{erltrace_agent, info, [], []}]}}})])},
     {"run0", seed(1, [open(), bound(2), started(2), st(), on(), work(false, record(1, []), aggs(1, Aggs)), {5, []}]
                      ++ [work(false, record(N, [{2, <<0:64>>}]), aggs(N, Aggs)) || N <- lists:seq(2, 6)] ++ %% each turn asks several times
                      [work(true, record(7, []), aggs(7, [])), ok(), ok(),
                       work(true, record(4, []), aggs(4, [])), ok()])},
     {"run1", seed(3, [open(), bound(2), started(2), st(), on(), work(false, record(1, [{1, <<0:3000/unit:8>>}]), aggs(1, [])), {5, []},
                       work(true, <<(record(2, []))/binary, (fault(1))/binary>>, aggs(2, [])), ok(), ok(), work(true, record(3, []), aggs(3, [])), ok()])},
     {"run2", seed(5, [answer({ok, [{<<"lists">>, <<"seq/2">>}]}), open(), bound(2), started(2), st(), on(), work(false, record(1, [{1, <<0:64>>}]), aggs(1, [])),
                       work(true, record(2, []), aggs(2, [])), ok(), ok()])},
     {"run3", seed(7, [answer({ok, #{memory => -1}}), bound(3), started(3), ok(), st(), on(), work(false, record(1, [{2, <<0:64>>}]), aggs(1, [])),
                       work(true, record(2, []), aggs(2, [])), ok(), ok()])},
     {"over", seed(1, [open(), bound(2), started(2), st(), on(), work(false, record(1, []), aggs(1, Aggs), <<"tracing took 40%">>), ok(), ok()])},
     {"died", seed(1, [open(), bound(2), started(2), st(), on(), work(false, record(1, []), aggs(1, Aggs))])},
     {"names", seed(1, [open(), bound(2), started(2), st(), on(), work(true, record(1, []), aggs(1, Aggs)), ok(), ok(),
                        answer({ok, [<<"init">>]}), answer({ok, <<"lists:seq/2">>}), answer(<<1, 0, 1>>), ok()])},
     {"ended", seed(1, [open(), bound(2), started(2), st(), on(),
                        rex({badrpc, {'EXIT', {{erltrace, <<"because">>}, {gen_server, call, [Pid, erltrace_watch, infinity]}}}})])},
     {"refused", seed(1, [answer({error, <<"no">>})])},
     {"twice", seed(1, [answer(ok), again(ok), bound(2), again({ok, [0, 1]})])},
     {"all", seed(1, [answer({1.5, 1 bsl 64, 1 bsl 2100, make_ref(), Pid, fun lists:map/2, <<1:3>>, #{a => [1 | 2]}, hd(erlang:ports()), "text", 'odd one'}), {3, bytes(x)}])},
     {"deep", seed(1, [answer(lists:foldl(fun(_, T) -> {T} end, 1, lists:seq(1, 2000)))])},
     {"compressed", seed(1, [{3, term_to_binary({1, lists:duplicate(20000, 7)}, [compressed])}])},
     {"claims", seed(1, [{1, <<109, 16#10000000:32>>}])},
     {"negative", seed(1, [{1, <<109, 16#f0000000:32, 1, 2>>}])},
     {"half", seed(1, [{0, <<0, 0, 1, 0, 112, 131>>}])}].
