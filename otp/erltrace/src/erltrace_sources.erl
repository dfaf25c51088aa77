%% Sources of events other than the tracer: the system monitor, the monitor of nodes, the code server, sequential
%% tracing. Their news come to the hub as messages and go to the scripts by erltrace_tracer:event/3.
-module(erltrace_sources).

-export([new/0, update/2, message/2]).
-export_type([state/0]).

%% Where the system monitor starts to report: ms and words. Predicates choose above that.
-define(LONG_GC, 10).
-define(LONG_SCHEDULE, 10).
-define(LARGE_HEAP, 1048576).
%% From so many messages on a queue is long, until it has no more than so few.
-define(LONG_QUEUE, 1000).
-define(SHORT_QUEUE, 100).
-define(MONITORED, [busy_port, busy_dist_port, long_gc, long_schedule, large_heap, long_message_queue]).

-record(sources, {monitor = [] :: list(),
                  nodes = false :: boolean(),
                  seq = false :: boolean(),
                  ports = false :: boolean(),
                  code = undefined :: undefined | #{module() => binary()}, % the code that runs
                  old = #{} :: #{module() => binary()},                    % the code before it
                  just = [] :: [module()]}).                               % told a moment ago
-opaque state() :: #sources{}.

-spec new() -> state().
new() ->
    #sources{}.

%% Notes say what is not possible, and which wants that concerns.
-spec update([atom()], state()) -> {state(), [{[atom()], binary()}]}.
update(Wants, S) ->
    Steps = [fun system_events/2, fun node_events/2, fun seq/2, fun ports/2, fun code/2],
    lists:foldl(
        fun(Step, {S0, Notes}) ->
                {S1, More} = Step(Wants, S0),
                {S1, Notes ++ More}
        end,
        {S, []},
        Steps).

%% -- the system monitor: a node has one

system_events(Wants, S) ->
    case lists:member(long_message_queue, Wants) andalso list_to_integer(erlang:system_info(otp_release)) < 27 of
        true ->
            {S1, Notes} = monitor_system(lists:delete(long_message_queue, Wants), S),
            {S1, [{[long_message_queue],
                   <<"the VM reports long message queues from OTP 27 on: system-long_message_queue does not fire; ",
                     "mailbox-1s tells how long queues are">>} | Notes]};
        false ->
            monitor_system(Wants, S)
    end.

monitor_system(Wants, #sources{monitor = Old} = S) ->
    Options = [busy_port || lists:member(busy_port, Wants)]
        ++ [busy_dist_port || lists:member(busy_dist_port, Wants)]
        ++ [{long_gc, ?LONG_GC} || lists:member(long_gc, Wants)]
        ++ [{long_schedule, ?LONG_SCHEDULE} || lists:member(long_schedule, Wants)]
        ++ [{large_heap, ?LARGE_HEAP} || lists:member(large_heap, Wants)]
        ++ [{long_message_queue, {?SHORT_QUEUE, ?LONG_QUEUE}} || lists:member(long_message_queue, Wants)],
    Self = self(),
    case {Options, erlang:system_monitor()} of
        {Old, _} ->
            {S, []};
        {[], {Self, _}} ->
            erlang:system_monitor(undefined),
            {S#sources{monitor = []}, []};
        {[], _} ->
            {S#sources{monitor = []}, []};
        {_, {Other, _}} when Other =/= Self ->
            {S, [{?MONITORED,
                  iolist_to_binary(
                      ["process ", pid_to_list(Other),
                       " uses the node's only system monitor: probes of busy ports, long collections, ",
                       "long schedules, large heaps and long message queues do not fire"])}]};
        _ ->
            erlang:system_monitor(Self, Options),
            {S#sources{monitor = Options}, []}
    end.

%% -- nodes

node_events(Wants, #sources{nodes = Old} = S) ->
    case lists:member(monitor_nodes, Wants) of
        Old ->
            {S, []};
        New ->
            case monitor_nodes(New, [{node_type, all}, nodedown_reason]) of
                ok -> {S#sources{nodes = New}, []};
                _ -> {S, [{[monitor_nodes], <<"the node is not distributed: dist-monitor does not fire">>}]}
            end
    end.

monitor_nodes(On, Options) ->
    try net_kernel:monitor_nodes(On, Options) catch exit:Reason -> {error, Reason} end.

%% -- sequential tracing: a node has one tracer of it

seq(Wants, #sources{seq = Old} = S) ->
    Ours = {erltrace_tracer, []},
    case {lists:member(seq_trace, Wants), seq_trace:get_system_tracer()} of
        {Old, _} ->
            {S, []};
        {true, false} ->
            seq_trace:set_system_tracer(Ours),
            {S#sources{seq = true}, []};
        {true, _} ->
            {S, [{[seq_trace], <<"another tool traces sequential-trace tokens: trace_seq does not fire">>}]};
        {false, Ours} ->
            seq_trace:set_system_tracer(false),
            {S#sources{seq = false}, []};
        {false, _} ->
            {S#sources{seq = false}, []}
    end.

%% -- ports that are open already: their names and owners

ports(Wants, #sources{ports = Old} = S) ->
    New = lists:member(ports, Wants),
    New andalso not Old andalso
        erltrace_session:pieces(
            fun erltrace_tracer:ports/1,
            [{P, Owner, Name} || P <- erlang:ports(),
                                 {name, Name} <- [erlang:port_info(P, name)],
                                 {connected, Owner} <- [erlang:port_info(P, connected)]]),
    {S#sources{ports = New}, []}.

%% -- code

code(Wants, #sources{code = Old} = S) ->
    case lists:member(code, Wants) of
        true when Old =:= undefined -> {S#sources{code = sums()}, []};
        true -> {S, []};
        false -> {S#sources{code = undefined, old = #{}, just = []}, []}
    end.

sums() ->
    maps:from_list([{M, Sum} || M <- erlang:loaded(), Sum <- sum(M)]).

sum(M) ->
    try [erlang:get_module_info(M, md5)] catch _:_ -> [] end.

%% -- messages

-spec message(term(), state()) -> state().
message({monitor, Process, busy_port, Port}, S) ->
    event(<<"port-busy">>, Process, [Port]),
    waits(Process, Port, none),
    S;
message({monitor, Process, busy_dist_port, Port}, S) ->
    Node = case lists:keyfind(Port, 2, erlang:system_info(dist_ctrl)) of
               {Found, _} -> Found;
               false -> none
           end,
    event(<<"port-busy">>, Process, [Port]),
    event(<<"dist-port_busy">>, Process, [node(), Port, Node, Process]),
    waits(Process, Port, Node),
    S;
message({monitor, Process, long_gc, Info}, S) ->
    event(<<"system-long_gc">>, Process, [Process, value(timeout, Info)]),
    S;
message({monitor, Who, long_schedule, Info}, S) ->
    event(<<"system-long_schedule">>, Who, [Who, value(timeout, Info)]),
    S;
message({monitor, Process, large_heap, Info}, S) ->
    Words = value(heap_block_size, Info) + value(old_heap_block_size, Info) + value(mbuf_size, Info),
    event(<<"system-large_heap">>, Process, [Process, Words]),
    S;
message({monitor, Process, long_message_queue, IsLong}, S) ->
    event(<<"system-long_message_queue">>, Process, [Process, case IsLong of true -> 1; false -> 0 end]),
    S;
message({nodeup, Node, Info}, S) ->
    node_event(<<"nodeup">>, Node, Info),
    S;
message({nodedown, Node, Info}, S) ->
    node_event(<<"nodedown">>, Node, Info),
    S;
message({erltrace_code, What, Module, Process}, #sources{code = Code} = S) when is_map(Code) ->
    code_event(What, Module, Process, S);
message(_, S) ->
    S.

event(Name, About, Arguments) ->
    erltrace_tracer:event(Name, About, Arguments).

value(Key, Info) ->
    proplists:get_value(Key, Info, 0).

%% A waiting process is suspended; if it is not suspended any more, it has already run.
waits(Process, Port, Node) when is_port(Port) ->
    case process_info(Process, status) of
        {status, suspended} -> erltrace_tracer:waits(Process, Port, Node);
        _ when Node =:= none -> event(<<"process-port_unblocked">>, Process, [Process, Port]);
        _ -> event(<<"dist-port_not_busy">>, Process, [node(), Port, Node])
    end;
waits(_, _, _) ->
    ok.

%% Commands that come to trace are not reported.
node_event(What, Node, Info) ->
    case atom_to_list(Node) of
        "erltrace_" ++ _ ->
            ok;
        _ ->
            Type = proplists:get_value(node_type, Info, ''),
            Reason = case lists:keyfind(nodedown_reason, 1, Info) of
                         {_, R} -> R;
                         false -> <<>>
                     end,
            event(<<"dist-monitor">>, undefined, [node(), What, Node, Type, Reason])
    end.

%% Loading is seen as the end of finish_loading, which does not say of what, and then of load_module, which does.
code_event(load, undefined, Process, #sources{code = Code} = S) ->
    Changed = [{M, Sum} || M <- erlang:loaded(), Sum <- sum(M), maps:get(M, Code, none) =/= Sum],
    S1 = lists:foldl(fun({M, Sum}, Acc) -> loaded(M, Sum, Process, Acc) end, S, Changed),
    S1#sources{just = [M || {M, _} <- Changed]};
code_event(load, M, Process, #sources{just = Just} = S) ->
    S1 = case lists:member(M, Just) of
             true -> S;
             false -> lists:foldl(fun(Sum, Acc) -> loaded(M, Sum, Process, Acc) end, S, sum(M))
         end,
    S1#sources{just = []};
code_event(delete, M, Process, #sources{code = Code, old = Old} = S) ->
    case maps:take(M, Code) of
        {Sum, Rest} ->
            event(<<"code-delete">>, Process, [M, hex(Sum)]),
            S#sources{code = Rest, old = Old#{M => Sum}};
        error ->
            S
    end;
code_event(purge, M, Process, #sources{old = Old} = S) ->
    event(<<"code-purge">>, Process, [M, hex(maps:get(M, Old, <<>>))]),
    S#sources{old = maps:remove(M, Old)}.

loaded(M, Sum, Process, #sources{code = Code, old = Old} = S) ->
    event(<<"code-load">>, Process, [M, hex(Sum)]),
    Old1 = case Code of
               #{M := Before} -> Old#{M => Before};
               _ -> Old
           end,
    S#sources{code = Code#{M => Sum}, old = Old1}.

hex(Bytes) ->
    << <<(hex_digit(N))>> || <<N:4>> <= Bytes >>.

hex_digit(N) when N < 10 -> $0 + N;
hex_digit(N) -> $a + N - 10.
