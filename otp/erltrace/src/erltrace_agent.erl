%% An agent: one script on this node, for one client. The client is the erltrace command, connected as a hidden node, or
%% a process of this node.
%%
%% The client sends {erltrace, From, Ref, Request} and gets {Ref, Reply}: src/node/protocol.h has them all. If the
%% client, its node or the connection goes away, or is silent for 30 s, the agent ends and with it everything that it
%% switched on. If the clauses take more of a scheduler than they may, the script is stopped; the client sees why in the
%% status.
%%
%% Whoever is outside calls only this module: nodes that do not have the application get all modules of the agent in one
%% (bundle.escript). They are loaded into nodes of other OTP releases than the one that has compiled them. OTP 29 does
%% not load some instructions that OTP 25 makes for patterns that take binaries apart, such as those for the rest of a
%% bitstring; tst.cluster_mixed.sh tries.
-module(erltrace_agent).

-export([start/2, start/3, place/4, borrow/0, abandon/0, rescue/1, are_there/0, info/0, patterns/1]).
-export([init/4]).

-define(SILENCE, 30000). % ms; the application's environment may have another value in `silence`
-define(HUBS, 3). % times that another hub is asked if one dies before the script is on
-define(RELOADS, 5). % times that a request is retried if it met a module that was just being loaded
-define(LOOK, 500). % ms between two looks at the overhead
-define(PROTOCOL, 14). % NODE_PROTOCOL of src/node/protocol.h
-define(SHARE, 20). % counters are read for at most one part in so many of the time
-define(FEW, 256). % so many are read whenever somebody looks: that takes 0.1 ms
-define(TURN, 100). % ms at least that calls are counted, if that is done only a part of the time, …
-define(TURNING, 4). % … and so many times as long as it takes to set the counters
-define(LONGEST, 86400000). % ms at most that they are not: a node that was frozen for hours seems to have counted for hours
-define(CLOSING, 1000). % ms that the end waits for the library to finish with the script

-record(state, {client :: pid(),
                library :: file:filename(),
                own = [] :: [pid() | port()],
                names :: pid(), % who looks for names of processes
                handle :: reference() | undefined,
                sample = 1 :: pos_integer(), % of so many processes it sees one
                part = 1 :: pos_integer(), % calls are counted in one part of so many of the time
                since = 0 :: integer(), % ms, monotonic: when they began to be counted this time
                hub :: pid(),
                heard :: integer(), % ms, monotonic: when the client last said something
                wants = [] :: [atom()],
                only = [] :: all | [binary()], % processes that the script is about
                patterns = [] :: list(),
                untraced = [] :: [pid()], % processes of others that the script must not see
                ours :: #{module() => true} | all | undefined, % modules whose functions cannot be counted; undefined: nobody has asked
                counted = [] :: [{mfa(), non_neg_integer()}], % functions whose calls the VM counts, and their probes
                uncounted = #{} :: #{old | ours | untraced | binary() => pos_integer()}, % functions whose calls it could count, but must not
                wide = false :: boolean(), % the VM could count if functions were named
                acting = 0 :: non_neg_integer(), % functions by name whose clauses do more than count
                counters :: erltrace_counters:state() | undefined,
                read :: integer() | undefined, % ms, monotonic: when it is time to read the counters; may be negative
                watches = false :: boolean(), % the nodes that come and go are told us
                nodes = 0 :: non_neg_integer(), % how often one came or went
                held = {0, <<>>} :: {non_neg_integer(), binary()}, % the last snapshot and its number, until it is known to have come
                joined = false :: boolean()}).

%% Starts an agent for Client; Path is the library without ".so".
-spec start(pid(), file:filename()) -> {ok, pid()} | {error, binary()}.
start(Client, Path) ->
    start(Client, Path, []).

%% Own: processes and ports that belong to erltrace and are never traced.
-spec start(pid(), file:filename(), [pid() | port()]) -> {ok, pid()} | {error, binary()}.
start(Client, Path, Own) ->
    case erltrace_tracer:load(Path) of
        ok ->
            {Agent, Ref} = spawn_monitor(?MODULE, init, [Client, self(), Path, [P || P <- Own, is_pid(P) orelse is_port(P)]]),
            receive
                {Agent, ready} -> erlang:demonitor(Ref, [flush]), {ok, Agent};
                {'DOWN', Ref, process, Agent, Why} -> {error, failed(exit, Why, [])}
            end;
        {error, {Reason, Text}} ->
            {error, iolist_to_binary(io_lib:format("the library ~ts could not be loaded: ~p: ~ts", [Path, Reason, Text]))}
    end.

%% The same if the node cannot read the library: see erltrace_place.
-spec place(pid(), binary(), string(), string() | pid()) -> {ok, pid()} | {error | refused, binary()}.
place(Client, Packed, Name, Told) ->
    erltrace_place:start(Client, Packed, Name, Told).

%% The first step of borrowing a place.
-spec borrow() -> {ok, pid(), integer()} | {refused, binary()}.
borrow() ->
    erltrace_place:borrow().

%% A client could not attach after it had sent the modules.
-spec abandon() -> ok.
abandon() ->
    erltrace_hub:abandon().

%% The library calls this when a hub was killed.
-spec rescue(file:filename()) -> no_return().
rescue(Library) ->
    erltrace_hub:rescue(Library).

%% Returns whether there is an agent that still has a client or a hub. A hub knows only those that have asked it, and
%% agents that have lost theirs may be busy. So that they are found, each monitors a process that every node has. One whose
%% client and hub have gone need not be waited for: its monitors of them have gone, too.
-spec are_there() -> boolean().
are_there() ->
    {monitored_by, By} = process_info(whereis(init), monitored_by),
    lists:any(fun(P) ->
                      process_info(P, initial_call) =:= {initial_call, {?MODULE, init, 4}} andalso is_awaited(process_info(P, monitors))
              end,
              [P || P <- By, is_pid(P), node(P) =:= node()]).

is_awaited({monitors, Monitors}) -> lists:any(fun({process, P}) -> is_pid(P); (_) -> false end, Monitors);
is_awaited(undefined) -> false.

%% What a client wants to know of the node before it compiles.
-spec info() -> map().
info() ->
    #{protocol => ?PROTOCOL,
      os_pid => list_to_integer(os:getpid())}.

init(Client, Starter, Library, Own0) ->
    erltrace_session:hide(),
    process_flag(trap_exit, true),
    Names = erltrace_names:start(),
    Own = [Names | Own0],
    %% so that on an overloaded node, too, the client is answered and the overhead checked
    process_flag(priority, high),
    erlang:monitor(process, init), % see are_there/0
    erlang:monitor(process, Client),
    Hub = erltrace_hub:attach(Client, Library, Own),
    erlang:monitor(process, Hub),
    node(Client) =:= node() orelse erlang:monitor_node(node(Client), true),
    erltrace_tracer:node(atom_to_binary(node(), utf8)),
    Starter ! {self(), ready},
    loop(#state{client = Client, library = Library, own = Own, untraced = [P || P <- Own0, is_pid(P), P =/= Client],
                names = Names, hub = Hub, heard = now_ms()}).

now_ms() ->
    erlang:monotonic_time(millisecond).

loop(#state{client = Client, hub = Hub} = S) ->
    receive
        {erltrace, From, Ref, Request} ->
            {Reply, S1} = answer(Request, with_library(S), ?RELOADS),
            case {reply(From, {Ref, Reply}, now_ms() + ?SILENCE), Request} of
                {ok, Go} when Go =/= close -> loop(S1#state{heard = now_ms()});
                _ -> finish(S1)
            end;
        {erltrace_below, Alias, Ref, {merge, _, Ms, _} = Request} -> % from another node's agent, which is not the client
            {Reply, S1} = answer(Request, with_library(S), ?RELOADS),
            reply(Alias, {Ref, Reply}, now_ms() + Ms),
            look(S1);
        {'DOWN', _, process, Client, _} ->
            finish(S);
        {'DOWN', _, process, Hub, _} when not S#state.joined ->
            look(replace_hub(S));
        {'DOWN', _, process, Hub, _} ->
            finish(S),
            exit({erltrace, <<"the hub of erltrace there has died">>});
        {nodedown, _} ->
            finish(S);
        {Change, _, _} when Change =:= nodeup; Change =:= nodedown ->
            look(S#state{nodes = S#state.nodes + 1});
        {erltrace_fold, Ticket} ->
            look(fold(Ticket, with_library(S)));
        erltrace_turn ->
            look(turn(with_library(S)));
        {erltrace_code, What, Module, _} ->
            look(new_code(What, Module, with_library(S)));
        let_go ->
            let_go(),
            look(S);
        _ ->
            look(S)
    after ?LOOK ->
        look(S)
    end.

%% A node that the command has started (-c) has an expression that waits until tracing is on. A starting node evaluates
%% its expressions last, so we may well be there first. The expression removes itself from the environment.
is_held() ->
    whereis(erltrace_start) =/= undefined orelse
        binary:match(unicode:characters_to_binary(os:getenv("ERL_AFLAGS", "")), <<"erltrace_start">>) =/= nomatch.

let_go() ->
    try erltrace_start ! {go} of
        _ -> ok
    catch
        error:badarg ->
            case init:get_status() of
                {started, _} -> ok; % it was let go before, or has waited long enough
                _ -> erlang:send_after(20, self(), let_go), ok
            end
    end.

%% A client that does not read must not block the agent, because then it could not notice that it should end.
reply(To, Message, Until) ->
    try erlang:send(To, Message, [nosuspend]) of
        nosuspend ->
            case now_ms() < Until of
                true -> timer:sleep(20), reply(To, Message, Until);
                false -> silent
            end;
        ok -> ok
    catch _:_ -> silent
    end.

look(#state{heard = Heard} = S) ->
    Limit = application:get_env(erltrace, silence, ?SILENCE),
    case now_ms() - Heard > Limit of
        true ->
            finish(S),
            exit({erltrace, iolist_to_binary(io_lib:format("the consumer said nothing for ~b ms", [Limit]))});
        false ->
            loop(stop_if_over(with_library(S)))
    end.

%% The modules may be loaded again between two calls. Requests that only read can then be asked once more.
answer(Request, S, Again) ->
    try
        request(Request, S)
    catch
        error:not_loaded when Again > 0, is_atom(Request), Request =/= go, Request =/= start ->
            answer(Request, with_library(S), Again - 1);
        Class:Reason:Stack ->
            {{error, failed(Class, Reason, Stack)}, S}
    end.

%% For what does several things and so cannot be asked again as a whole: what was read from counters is folded once, what was
%% drained is not there a second time. Without the library a call does nothing.
loaded(Call, S) ->
    loaded(Call, S, ?RELOADS).

loaded(Call, S, Again) ->
    try Call()
    catch error:not_loaded when Again > 0 -> loaded(Call, with_library(S), Again - 1)
    end.

%% Somebody may have loaded the modules again while the script runs: then the library belongs to the old code. With it
%% the script goes on, and all flags are set again.
with_library(#state{hub = Hub, library = Library} = S) ->
    case erltrace_tracer:is_loaded() orelse erltrace_hub:again(Hub) of
        true -> S;
        ok -> S;
        {error, _} -> without_hub(erltrace_tracer:load(Library), S)
    end.

%% The hub has died: somebody has killed it, or it could not load the library either. Who does not keep the state with
%% the new hub gets to it by the 'DOWN' of the old one.
without_hub(ok, #state{joined = false} = S) -> replace_hub(S);
without_hub(ok, S) -> S; % and we are told that it has died
without_hub({error, _}, _) ->
    exit({erltrace, <<"erltrace's modules were loaded again there, and the library is not at hand any more">>}).

stop_if_over(#state{joined = true, handle = Handle} = S) ->
    case loaded(fun() -> erltrace_tracer:status(Handle) end, S) of
        #{ended := <<>>} -> S;
        #{} -> stop(S)
    end;
stop_if_over(S) ->
    S.

%% The order matters: nothing that may have to wait comes before the flags are off.
stop(#state{handle = Handle} = S) ->
    loaded(fun() -> erltrace_tracer:halt(Handle) end, S),
    S1 = leave(stop_counters(fold(0, S))),
    loaded(fun() -> erltrace_tracer:stop(Handle) end, S1),
    S1.

leave(#state{joined = false} = S) ->
    S;
leave(#state{hub = Hub} = S) ->
    case erltrace_hub:leave(Hub) of
        ok -> S#state{joined = false};
        {error, _} -> replace_hub(S#state{joined = false})
    end.

%% Somebody has killed the hub. A new one removes what it had switched on: the library has remembered that.
replace_hub(#state{client = Client, library = Library, own = Own} = S) ->
    Hub = erltrace_hub:attach(Client, Library, Own),
    erlang:monitor(process, Hub),
    S#state{hub = Hub}.

%% Both may contain what a client has sent, of any size, so depth and length are bounded.
failed(Class, Reason, Stack) ->
    Where = [{M, F, if is_list(A) -> length(A); true -> A end} || {M, F, A, _} <- lists:sublist(Stack, 3)],
    unicode:characters_to_binary(io_lib:format("~w:~W at ~w", [Class, Reason, 12, Where], [{chars_limit, 500}])).

finish(#state{handle = undefined, names = Names}) ->
    erltrace_names:stop(Names);
finish(#state{handle = Handle, names = Names} = S) ->
    loaded(fun() -> erltrace_tracer:halt(Handle) end, S),
    Left = leave(stop_counters(S)),
    %% the rest is completed even without this process
    Ref = loaded(fun() -> erltrace_tracer:ask_close(Handle) end, Left),
    receive
        {Ref, _} -> ok
    after ?CLOSING ->
        ok
    end,
    erltrace_names:stop(Names).

request({open, #{protocol := ?PROTOCOL, object := Object, conf := Conf, nonce := Nonce}}, #state{handle = undefined} = S) ->
    case erltrace_tracer:open(Object, Conf, self(), Nonce) of
        {ok, Handle} ->
            Memory = erltrace_tracer:memory(Handle),
            {{ok, #{memory => Memory, places => erltrace_tracer:places(Handle)}},
             S#state{handle = Handle, sample = maps:get(sample, Conf), part = maps:get(countpart, Conf)}};
        Error -> {Error, S}
    end;
request(Open, #state{handle = undefined} = S) when element(1, Open) =:= open ->
    {{error, <<"the command is another version of erltrace than the part in the node: use the same">>}, S};
request({bind, Bindings}, S) ->
    case bind(Bindings, [], S) of
        {ok, Indexes} ->
            %% what the clauses of a probe look at is known only when all are bound
            Probes = lists:foldl(
                         fun({Index, #{probe := Names, facts := Facts}}, Acc) ->
                                 maps:update_with(Index, fun({_, More}) -> {Names, [Facts | More]} end, {Names, [Facts]}, Acc)
                         end,
                         #{},
                         lists:zip(Indexes, Bindings)),
            Subscribed = subscribe_all(maps:to_list(Probes), S),
            %% before anything is traced: see erltrace_tracer:level/1
            lists:member(return_to, erltrace_tracer:wants(S#state.handle)) andalso erltrace_levels:known(),
            case Subscribed of
                #state{part = Part, counted = Counted, uncounted = Not} when Part > 1, Counted =:= [] orelse map_size(Not) > 0 ->
                    {{error, not_in_parts(Not)}, S};
                #state{counted = [_ | _]} = S1 ->
                    ok = erltrace_tracer:count(S#state.handle, self()),
                    {{ok, Indexes}, S1};
                #state{} = S1 ->
                    {{ok, Indexes}, S1};
                Error ->
                    {Error, S}
            end;
        Error ->
            {Error, S}
    end;
request(start, #state{handle = Handle} = S) ->
    case loaded(fun() -> erltrace_tracer:start(Handle) end, S) of
        ok -> {{ok, loaded(fun() -> erltrace_tracer:epids(Handle) end, S)}, S};
        Error -> {Error, S}
    end;
request({fire, Index}, #state{handle = Handle} = S) ->
    {erltrace_tracer:fire(Handle, Index), S};
request(go, #state{handle = Handle} = S) ->
    case loaded(fun() -> erltrace_tracer:go(Handle) end, S) of
        ok ->
            case join(S, ?HUBS) of
                {{ok, Info0}, S1} ->
                    Joined = start_counters(S1#state{joined = true}),
                    Info = Info0#{ways => ways(S1)},
                    %% only now: on a busy node what came before may have taken longer than a tick that ends the script
                    case loaded(fun() -> erltrace_tracer:timers(Handle) end, S1) of
                        ok ->
                            is_held() andalso let_go(),
                            {{ok, Info}, Joined};
                        Error ->
                            {Error, stop(Joined)}
                    end;
                Refused ->
                    Refused
            end;
        Error ->
            {Error, S}
    end;
request(status, S) ->
    {status(S), stop_if_over(S)};
request(work, #state{handle = Handle} = S0) ->
    S1 = stop_if_over(S0),
    Status = status(S1), % asked first, so that whoever reads that it is over has everything
    S = fold_if_time(S1),
    Records = loaded(fun() -> erltrace_tracer:drain(Handle) end, S),
    {#{status => Status, records => Records, aggregations => snap(S)}, S};
request(records, #state{handle = Handle} = S0) ->
    S = stop_if_over(S0),
    Status = status(S),
    {#{status => Status, records => loaded(fun() -> erltrace_tracer:drain(Handle) end, S)}, S};
request({merge, Seen, Ms, Below}, S) ->
    merge(Seen, Ms, Below, S);
request(stop, S) ->
    {ok, stop(S)};
request(fired, #state{handle = Handle} = S) ->
    {erltrace_tracer:fired(Handle), S};
request({symbol, Index}, S) ->
    {erltrace_tracer:symbol(Index), S};
request({names, Pids}, #state{names = Names} = S) ->
    {{ok, erltrace_names:ask(Names, Pids)}, S};
request({process, Name}, S) ->
    {{ok, erltrace_names:find(Name)}, S};
request({nodes, Which}, #state{watches = false} = S) when Which =:= visible; Which =:= hidden ->
    ok = net_kernel:monitor_nodes(true, [{node_type, case Which of visible -> visible; hidden -> all end}]),
    request({nodes, Which}, S#state{watches = true});
request({nodes, visible}, S) ->
    {{ok, nodes()}, S};
request({nodes, hidden}, S) ->
    {{ok, nodes() ++ nodes(hidden)}, S};
request({functions, Module, Function}, S) ->
    process_flag(priority, normal), % it may have to look at every function of the node
    Functions = try functions(Module, Function) after process_flag(priority, high) end,
    {{ok, Functions}, S};
request(clock, S) ->
    {time, Ns} = lists:keyfind(time, 1, erlang:system_info(os_monotonic_time_source)),
    {{ok, Ns}, S};
request(alive, S) ->
    {ok, S};
request(close, S) ->
    {ok, S};
request(_, S) ->
    {{error, <<"the agent does not know this request">>}, S}.

status(#state{handle = Handle, nodes = Nodes} = S) ->
    Status = loaded(fun() -> erltrace_tracer:status(Handle) end, S),
    Status#{nodes => Nodes}.

snap(#state{handle = Handle} = S) ->
    loaded(fun() -> erltrace_tracer:snap(Handle) end, S).

%% -- snapshots that are merged on the way: see src/node/merge.c

%% This node's snapshot, merged with those of the agents below. Nothing is kept of those: who did not answer in time, or
%% whose answer gets lost on its way up, is asked again, and sends the same snapshot until it is known to have come.
merge(Seen, Ms, Below, S0) ->
    Until = now_ms() + Ms,
    Asked = [ask_below(B, Ms) || B <- Below],
    {No, Own, S} = snapshot(Seen, S0),
    Answers = [answer_below(A, Until) || A <- Asked],
    Bytes = case [B || {_, B} <- Answers, B =/= none] of
                [] -> Own;
                Others -> loaded(fun() -> erltrace_tracer:merge(S#state.handle, [Own | Others]) end, S)
            end,
    case Bytes of
        {error, _} = Error -> {Error, S};
        _ -> {{ok, #{'of' => [No | lists:append([N || {N, _} <- Answers])], aggregations => Bytes}}, S}
    end.

%% Its number is negative if it was sent before.
snapshot(Seen, #state{held = {No, Bytes}} = S) when No > Seen ->
    {-No, Bytes, S};
snapshot(_, S0) ->
    S = fold_if_time(stop_if_over(S0)),
    Bytes = snap(S),
    No = binary:decode_unsigned(binary:part(Bytes, 0, 8), little) band ((1 bsl 63) - 1),
    {No, Bytes, S#state{held = {No, Bytes}}}.

%% Nodes that are not connected with this one stay so. A late answer is not received: the alias is gone then. Each level
%% of the tree has less time than the one above.
ask_below({Agent, Seen, Below}, Ms) ->
    Alias = erlang:alias(),
    Ref = make_ref(),
    case erlang:send(Agent, {erltrace_below, Alias, Ref, {merge, Seen, Ms * 3 div 4, Below}}, [noconnect, nosuspend]) of
        ok -> {Alias, Ref, size_of(Below)};
        _ -> erlang:unalias(Alias), {none, Ref, size_of(Below)}
    end.

size_of(Below) ->
    1 + lists:sum([size_of(B) || {_, _, B} <- Below]).

%% {Numbers, Bytes}: the number of each snapshot that is in it, or 0.
answer_below({none, _, Size}, _) ->
    {lists:duplicate(Size, 0), none};
answer_below({Alias, Ref, Size}, Until) ->
    Answer = receive {Ref, A} -> A after max(0, Until - now_ms()) -> late end,
    erlang:unalias(Alias),
    case Answer of
        {ok, #{'of' := Numbers, aggregations := Bytes}} when length(Numbers) =:= Size, byte_size(Bytes) >= 8, byte_size(Bytes) rem 8 =:= 0 ->
            {Numbers, Bytes};
        _ -> answer_below({none, Ref, Size}, Until)
    end.

%% The hub switches on what the script wants. If it dies before it has, another one does it: somebody may kill it, or remove
%% the code that it runs.
join(#state{hub = Hub} = S, Tries) ->
    case join(S) of
        {error, _} = Error when Tries > 0 ->
            case is_process_alive(Hub) of
                true -> {Error, S};
                false -> join(replace_hub(S), Tries - 1)
            end;
        Reply ->
            {Reply, S}
    end.

join(#state{handle = Handle, hub = Hub, wants = Wants0, only = Only, patterns = Patterns0, own = Own} = S) ->
    Asked = Wants0 ++ loaded(fun() -> erltrace_tracer:wants(Handle) end, S),
    %% otherwise its first call would be over before anybody knows that the module was loaded
    lists:member(user, Asked) andalso code:ensure_loaded(dyntrace),
    Stack = [stack || lists:member(callers, Asked), lists:keymember(frames, 1, Asked), erltrace_session:has_stacks()],
    %% the VM is asked for whole stacks: see erltrace_sampler
    Whole = lists:member(samples, Asked) orelse Stack =/= [],
    Wants = processes_of(Only) ++ [W || W <- Asked, Whole orelse not (is_tuple(W) andalso element(1, W) =:= frames)],
    Patterns = case lists:member(callers, Wants) of
                   true -> [{MFA, Stack ++ [caller | W]} || {MFA, W} <- Patterns0];
                   false -> Patterns0
               end,
    %% exit() may come from a process that is already traced
    erltrace_hub:join(Hub, Wants, Patterns, Own, fun() -> is_over(Handle) end).

is_over(Handle) ->
    try erltrace_tracer:status(Handle) of
        #{exiting := Exiting, filled := Filled, ended := Ended} -> Exiting orelse Filled orelse Ended =/= <<>>
    catch
        error:not_loaded -> false % the hub, which we wait for, brings the library back
    end.

bind([], Indexes, _) ->
    {ok, lists:reverse(Indexes)};
bind([#{id := Id, probe := Names, clause := Clause} | Rest], Indexes, #state{handle = Handle} = S) ->
    case erltrace_tracer:bind(Handle, Id, Names, Clause) of
        {ok, Index} -> bind(Rest, [Index | Indexes], S);
        Error -> Error
    end.

subscribe_all([], S) ->
    S;
subscribe_all([{Index, {Names, Facts}} | Rest], S0) ->
    S = S0#state{only = narrow_processes(Names, Facts, S0#state.only)},
    case subscribe(Index, Names, Facts, S) of
        #state{} = S1 -> subscribe_all(Rest, S1);
        Error -> Error
    end.

subscribe(Index, {Provider, Module, Function, Name}, Facts, S) ->
    case begins(Provider, <<"erlang">>) of
        true -> subscribe_erlang(Index, {Module, Function, Name}, Facts, S);
        false -> S
    end.

%% An erlang probe: by its classic name, or a function by name.
subscribe_erlang(Index, {<<>>, <<>>, Name}, Facts, #state{handle = Handle} = S) ->
    case erltrace_tracer:subscribe(Handle, Index, Name) of
        ok ->
            Patterns = narrow_patterns(wide_patterns(erltrace_tracer:probe(Name)), only(1, Facts)),
            S#state{patterns = Patterns ++ S#state.patterns,
                    wants = [natives || Patterns =/= []] ++ S#state.wants,
                    wide = S#state.wide orelse Patterns =/= [] andalso erltrace_tracer:may_count(Handle, Index) =:= true};
        Error ->
            Error
    end;
subscribe_erlang(Index, {Module, Function, Name}, _, S) ->
    subscribe_function(Index, mfa(Module, Function), Name, S).

%% Not by a pattern: see the top of this file.
begins(Text, Begin) ->
    byte_size(Text) >= byte_size(Begin) andalso binary:part(Text, 0, byte_size(Begin)) =:= Begin.

subscribe_function(_, unknown, _, S) ->
    S;
subscribe_function(Index, {M, _, _} = MFA, <<"entry">>, #state{handle = Handle} = S) ->
    case erltrace_tracer:may_count(Handle, Index) of
        true -> subscribe_counted(Index, MFA, may_count(M, S), S);
        acts -> subscribe_event(Index, MFA, <<"entry">>, S#state{acting = S#state.acting + 1});
        Why -> subscribe_counted(Index, MFA, {false, Why}, S)
    end;
subscribe_function(Index, MFA, Name, S) ->
    subscribe_event(Index, MFA, Name, S).

subscribe_counted(Index, MFA, unknown, S) ->
    subscribe_function(Index, MFA, <<"entry">>, S#state{ours = erltrace_counters:ours()});
subscribe_counted(Index, MFA, true, S) ->
    S#state{counted = [{MFA, Index} | S#state.counted]};
subscribe_counted(Index, MFA, {false, Why}, S) ->
    Uncounted = maps:update_with(Why, fun(N) -> N + 1 end, 1, S#state.uncounted),
    subscribe_event(Index, MFA, <<"entry">>, S#state{uncounted = Uncounted}).

subscribe_event(Index, {M, F, A} = MFA, Name, #state{handle = Handle} = S) ->
    {Sort, Wants} = case Name of
                        <<"entry">> -> {0, []};
                        <<"return">> ->
                            case erltrace_tracer:looks(Handle, Index) of
                                0 -> {1, [level]};
                                _ -> {1, [return]}
                            end;
                        <<"exception">> -> {2, [exception]}
                    end,
    case erltrace_tracer:subscribe(Handle, Index, {Sort, M, F, A, native(MFA)}) of
        ok -> S#state{patterns = [{MFA, Wants} | S#state.patterns]};
        Error -> Error
    end.

%% -- calls that the VM counts

may_count(_, #state{untraced = [_ | _]}) -> {false, untraced};
may_count(_, #state{ours = undefined}) -> unknown;
may_count(_, #state{ours = all}) -> {false, old};
may_count(Module, #state{ours = Ours}) -> not is_map_key(Module, Ours) orelse {false, ours}.

start_counters(#state{counted = []} = S) ->
    S;
start_counters(#state{counted = Functions} = S) ->
    Began = now_ms(),
    Counters = erltrace_counters:start(Functions),
    next_turn(S#state{counters = Counters, read = now_ms(), since = Began}).

%% The counters slow every call down. So they may be set for only a part of the time. How long they are not follows from
%% how long they really were, which on a busy node is longer than asked for. It differs from time to time, so that this is
%% not in step with anything else.
turn(#state{counters = undefined} = S) ->
    S;
turn(S0) ->
    case erltrace_counters:are_set(S0#state.counters) of
        true ->
            S = fold(0, S0),
            next_turn(S#state{counters = erltrace_counters:pause(S#state.counters)});
        false ->
            Began = now_ms(),
            next_turn(S0#state{counters = erltrace_counters:resume(S0#state.counters), since = Began})
    end.

next_turn(#state{part = 1} = S) ->
    S;
next_turn(#state{part = Part, since = Since, counters = Counters} = S) ->
    Took = now_ms() - Since,
    Ms = case erltrace_counters:are_set(Counters) of
             true ->
                 max(?TURN, ?TURNING * Took);
             false ->
                 Off = min((Part - 1) * max(1, Took), ?LONGEST),
                 Off div 2 + erlang:phash2(erlang:monotonic_time(), Off)
         end,
    erlang:send_after(Ms, self(), erltrace_turn),
    S.

not_in_parts(Not) when map_size(Not) > 0 ->
    [Why | _] = lists:sort(maps:keys(Not)),
    iolist_to_binary(["countpart: calls would be counted with events here, ", why(Why)]);
not_in_parts(_) ->
    <<"countpart is for calls that the VM counts, and the script has none that it may count">>.

stop_counters(#state{counters = undefined} = S) ->
    S;
stop_counters(#state{counters = Counters} = S) ->
    erltrace_counters:stop(Counters),
    S#state{counters = undefined}.

%% The aggregations get what was counted since the last time. If a tick waits for it, it has a ticket.
fold(Ticket, #state{counters = undefined, handle = Handle} = S) ->
    Ticket =/= 0 andalso loaded(fun() -> erltrace_tracer:fold(Handle, [], Ticket) end, S),
    S;
fold(Ticket, #state{counters = Counters, handle = Handle} = S) ->
    Began = now_ms(),
    {Counts, Now} = erltrace_counters:read(Counters),
    loaded(fun() -> erltrace_tracer:fold(Handle, Counts, Ticket) end, S),
    Ended = now_ms(),
    S#state{counters = Now, read = Ended + ?SHARE * (Ended - Began)}.

%% With many functions, not each time that somebody looks. What is counted only a part of the time is read when that ends.
fold_if_time(#state{part = Part} = S) when Part > 1 ->
    S;
fold_if_time(#state{counters = Counters, read = At} = S) ->
    case Counters =/= undefined andalso (length(S#state.counted) =< ?FEW orelse now_ms() >= At) of
        true -> fold(0, S);
        false -> S
    end.

%% Code that is replaced takes its counters with it.
new_code(_, _, #state{counters = undefined} = S) ->
    S;
new_code(prepare, Module, #state{counters = Counters, handle = Handle} = S) ->
    {Counts, Now} = erltrace_counters:read(Module, Counters),
    loaded(fun() -> erltrace_tracer:fold(Handle, Counts, 0) end, S),
    S#state{counters = Now};
new_code(load, Module, #state{counters = Counters} = S) ->
    S#state{counters = erltrace_counters:again(Module, Counters)}.

%% For -v: which processes are traced, and how calls are counted.
ways(#state{sample = Sample, part = Part, counted = Counted, uncounted = Uncounted, acting = Acting, wide = Wide}) ->
    [iolist_to_binary(["one process in ", integer_to_list(Sample), " is traced"]) || Sample > 1]
        ++ [way(length(Counted), ["counted by the VM, without events", part(Part)]) || Counted =/= []]
        ++ [way(N, ["counted with events, ", why(Why)]) || {Why, N} <- lists:sort(maps:to_list(Uncounted))]
        ++ [way(Acting, "events, because the script does more than count them") || Acting > 0]
        ++ [<<"calls are counted with events; for functions by name, erlang*:*:*:entry, the VM would count from OTP 27 on">> || Wide].

part(1) -> "";
part(N) -> [", in one part of ", integer_to_list(N), " of the time"].

way(1, How) -> iolist_to_binary(["calls of 1 function are ", How]);
way(N, How) -> iolist_to_binary(["calls of ", integer_to_list(N), " functions are ", How]).

why(old) -> "because counters of its own need OTP 27";
why(ours) -> "because this VM would count erltrace's own calls of them too";
why(untraced) -> "because a counter would see processes that must not be traced";
why(Why) -> Why.

%% The patterns of a probe by its classic name, whoever asks for it.
-spec patterns(binary()) -> [erltrace_patterns:pattern()].
patterns(Name) ->
    wide_patterns(erltrace_tracer:probe(Name)).

%% Probes that mean every function, or every one of a kind.
wide_patterns(#{functions := none}) -> [];
wide_patterns(#{functions := all, caller := Caller}) -> [{{'_', '_', '_'}, Caller}];
wide_patterns(#{functions := bifs, caller := Caller}) -> native_patterns(1, Caller);
wide_patterns(#{functions := nifs, caller := Caller}) -> native_patterns(2, Caller);
wide_patterns(undefined) -> []. % user_trace-n

%% -- what predicates say: for each clause of a probe [{Argument, [Text]}], the texts that the argument may be

%% What an argument may be in any of the clauses, or `any`.
only(N, Clauses) ->
    Sets = [lists:keyfind(N, 1, Facts) || Facts <- Clauses],
    case lists:member(false, Sets) of
        true -> any;
        false -> lists:usort(lists:append([Texts || {_, Texts} <- Sets]))
    end.

narrow_patterns([{{'_', '_', '_'}, Wants}], Texts) when is_list(Texts) ->
    [{MFA, Wants} || Text <- Texts, {M, _, _} = MFA <- parse_mfa(Text), is_tuple(code:ensure_loaded(M))];
narrow_patterns([_ | _] = Patterns, Texts) when is_list(Texts) ->
    MFAs = lists:append([parse_mfa(Text) || Text <- Texts]),
    [P || {MFA, _} = P <- Patterns, lists:member(MFA, MFAs)];
narrow_patterns(Patterns, _) ->
    Patterns.

%% "lists:seq/2", names quoted as in Erlang. No atom is made: a name without an atom is not a function.
parse_mfa(Text) ->
    try
        {Module, [$: | Rest]} = name(binary_to_list(Text)),
        {Function, [$/ | Arity]} = name(Rest),
        [{existing(Module), existing(Function), list_to_integer(Arity)}]
    catch
        error:_ -> []
    end.

existing(Bytes) -> binary_to_existing_atom(list_to_binary(Bytes), utf8).

name([$' | Rest]) -> quoted(Rest, []);
name(Text) -> lists:splitwith(fun(C) -> C =/= $: andalso C =/= $/ end, Text).

quoted([$' | Rest], Name) -> {lists:reverse(Name), Rest};
quoted([$\\, C | Rest], Name) when C =:= $'; C =:= $\\ -> quoted(Rest, [C | Name]);
quoted([C | Rest], Name) when C =/= $\\ -> quoted(Rest, [C | Name]).

%% The processes that the script is about, if all of its probes say so.
narrow_processes({Provider, Module, Function, Name}, Facts, Before) ->
    IsErlang = begins(Provider, <<"erlang">>),
    IsSample = Provider =:= <<"profile">> andalso begins(Name, <<"profile-">>),
    Texts = IsErlang andalso {Module, Function} =:= {<<>>, <<>>} andalso Before =/= all andalso is_of_process(Name)
        andalso only(0, Facts),
    if is_list(Texts) -> lists:usort(Texts ++ Before);
       IsErlang; IsSample -> all;
       true -> Before
    end.

%% Probes whose first argument is the process that the event happens to.
is_of_process(Name) ->
    case erltrace_tracer:probe(Name) of
        #{self := Self} -> Self;
        undefined -> false
    end.

processes_of(Only) when is_list(Only), Only =/= [] ->
    Pids = [list_to_pid(binary_to_list(T)) || T <- Only, re:run(T, "^<0[.][0-9]+[.][0-9]+>$") =/= nomatch],
    [{only, Pids}];
processes_of(_) ->
    [].

native_patterns(Sort, Wants) ->
    [{{M, F, A}, Wants} || {M, F, A, Is} <- erltrace_patterns:natives(), Is =:= Sort].

%% unknown: there is no such name, so there is no such function. A script makes no atom.
mfa(Module, Function) ->
    {F, A} = split_arity(Function),
    try {binary_to_existing_atom(full_name(Module), utf8), binary_to_existing_atom(F, utf8), A}
    catch error:badarg -> unknown
    end.

%% Elixir's modules may be written as in Elixir.
full_name(<<>>) ->
    <<>>;
full_name(Module) ->
    C = binary:first(Module),
    case C >= $A andalso C =< $Z andalso not begins(Module, <<"Elixir.">>) of
        true -> <<"Elixir.", Module/binary>>;
        false -> Module
    end.

split_arity(Function) ->
    [A | F] = lists:reverse(binary:split(Function, <<"/">>, [global])),
    {iolist_to_binary(lists:join(<<"/">>, lists:reverse(F))), binary_to_integer(A)}.

native({M, F, A}) ->
    case erlang:is_builtin(M, F, A) of
        true -> 1;
        false -> case is_nif(M, F, A) of true -> 2; false -> 0 end
    end.

is_nif(M, F, A) ->
    try lists:member({F, A}, erlang:get_module_info(M, nifs))
    catch _:_ -> false
    end.

%% Functions of loaded modules whose names match two globs, as {Module, Function/Arity} texts.
functions(Name, Function) ->
    Module = full_name(Name),
    Modules = case has_glob(Module) of
                  false -> named_module(unescaped(Module));
                  true -> Matches = glob(Module), [M || {M, _} <- code:all_loaded(), Matches(atom_to_binary(M, utf8))]
              end,
    IsIt = glob(Function),
    [{ModuleText, Text}
     || M <- Modules,
        not own_module(M),
        ModuleText <- [atom_to_binary(M, utf8)],
        {F, A} <- all_functions(M),
        Text <- [<<(atom_to_binary(F, utf8))/binary, $/, (integer_to_binary(A))/binary>>],
        IsIt(Text)].

%% A module that nobody has used yet is loaded. A name that is not a module leaves no atom behind.
named_module(Module) ->
    try binary_to_existing_atom(Module, utf8) of
        M -> code:ensure_loaded(M), [M]
    catch
        _:_ ->
            File = unicode:characters_to_list(<<Module/binary, (list_to_binary(code:objfile_extension()))/binary>>),
            case code:where_is_file(File) of
                non_existing -> [];
                _ -> M = binary_to_atom(Module, utf8), code:ensure_loaded(M), [M]
            end
    end.

all_functions(M) ->
    try erlang:get_module_info(M, functions)
    catch _:_ -> []
    end.

own_module(M) -> lists:prefix("erltrace", atom_to_list(M)).

%% After a backslash a character stands for itself.
has_glob(Text) -> list_has_glob(binary_to_list(Text)).

list_has_glob([$\\, _ | Rest]) -> list_has_glob(Rest);
list_has_glob([C | _]) when C =:= $*; C =:= $?; C =:= $[ -> true;
list_has_glob([_ | Rest]) -> list_has_glob(Rest);
list_has_glob([]) -> false.

unescaped(Text) -> list_to_binary(list_unescaped(binary_to_list(Text))).

list_unescaped([$\\, C | Rest]) -> [C | list_unescaped(Rest)];
list_unescaped([C | Rest]) -> [C | list_unescaped(Rest)];
list_unescaped([]) -> [].

%% A fun that says whether a text matches.
glob(<<>>) -> fun(_) -> true end;
glob(<<"*">>) -> fun(_) -> true end;
glob(Pattern) ->
    case has_glob(Pattern) of
        false ->
            Plain = unescaped(Pattern),
            fun(Text) -> Text =:= Plain end;
        true ->
            Regex = ["^", glob_chars(unicode:characters_to_list(Pattern)), "$"],
            {ok, Compiled} = re:compile(unicode:characters_to_binary(Regex), [unicode]),
            fun(Text) -> re:run(Text, Compiled, [{capture, none}]) =:= match end
    end.

glob_chars([$\\, C | Rest]) -> [["\\x{", integer_to_list(C, 16), "}"] | glob_chars(Rest)];
glob_chars([C | Rest]) -> [glob_char(C) | glob_chars(Rest)];
glob_chars([]) -> [].

glob_char($*) -> ".*";
glob_char($?) -> ".";
glob_char(C) when C =:= $[; C =:= $]; C =:= $- -> [C];
glob_char(C) -> ["\\x{", integer_to_list(C, 16), "}"].
