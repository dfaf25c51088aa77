%% What an event costs: untraced, through an empty erl_tracer, through erltrace with a keyed count and with a quantize
%% by function, and through dbg with a handler that does the same keyed count. And what tracing costs when it is off.
%% All in one run.
%%
%% The node has one scheduler, and the CPU time of its thread is measured. So the work of a tracer process counts, while
%% other programs count only through the caches that they disturb. The ways therefore take turns. A turn is many slices
%% of a few milliseconds and gives their 5th percentile, which is a slice that was hardly disturbed. The best turn of
%% each way is shown.
%%
%% All ways do the same work: one event (call and return: two) for each operation. The empty tracer discards in
%% `enabled` what is not asked for, as erltrace does; dbg cannot.
%%
%% The node traces itself: it starts the erltrace command, which attaches to it.
%%
%% erl +S 1:1 -sname NAME -run bench_tracer main BUILD [ROUNDS [KIND …]]
%% The kind `mixed` is another table, for root: what the same events cost a script that also has probes of the kernel,
%% and what it costs to follow which process runs. `syscall` is its last line only, and `flame` what it costs to be
%% sampled, which takes long slices: each must have many samples. `functions` is what a program takes, the compiler,
%% while the calls of all of its functions are counted, and those of all functions of the node; both have a bound.
-module(bench_tracer).
-export([main/1]).
-export([leaf/1, child/0]).

-define(KINDS, [call, call_return, send, spawn, scheduled]).
-define(WAYS, [untraced, empty, count, quantize, dbg]).
-define(SLICES, 100).
-define(BOUND, 30). % ns for a call that the VM counts

main([Build]) ->
    main([Build, "3"]);
main([Build, Rounds0, "syscall"]) ->
    1 = erlang:system_info(schedulers),
    ok = empty_tracer:load(Build ++ "/bench/erlang/empty_tracer"),
    io:format("ns of CPU for an operation~n"),
    system_call(list_to_integer(Rounds0), Build ++ "/erltrace"),
    erlang:halt(0);
main([Build, Rounds0, "flame"]) ->
    1 = erlang:system_info(schedulers),
    ok = empty_tracer:load(Build ++ "/bench/erlang/empty_tracer"),
    io:format("997 Hz, % of CPU time above untraced~n"),
    flame(list_to_integer(Rounds0), Build ++ "/erltrace"),
    erlang:halt(0);
main([Build, Rounds0, "mixed"]) ->
    1 = erlang:system_info(schedulers),
    ok = empty_tracer:load(Build ++ "/bench/erlang/empty_tracer"),
    io:format("ns of CPU for an operation~n                untraced  in the node  mixed script~n"),
    Rounds = list_to_integer(Rounds0),
    [mixed(Kind, Rounds, Build ++ "/erltrace") || Kind <- [call, call_return, send, scheduled]],
    system_call(Rounds, Build ++ "/erltrace"),
    erlang:halt(0);
main([Build, Rounds0, "functions"]) ->
    1 = erlang:system_info(schedulers),
    ok = empty_tracer:load(Build ++ "/bench/erlang/empty_tracer"),
    erlang:halt(functions(list_to_integer(Rounds0), Build ++ "/erltrace"));
main([Build, Rounds0 | Kinds]) ->
    1 = erlang:system_info(schedulers),
    ok = empty_tracer:load(Build ++ "/bench/erlang/empty_tracer"),
    Rounds = list_to_integer(Rounds0),
    Which = case Kinds of
                [] -> ?KINDS;
                _ -> [list_to_existing_atom(K) || K <- Kinds]
            end,
    io:format("ns of CPU for an operation; +N: above the empty tracer, for each event; aim: of a keyed count~n"
              "                untraced  empty NIF   keyed count  quantize by mfa              dbg~n"),
    Costs = [{Kind, costs(Kind, Rounds, Build ++ "/erltrace")} || Kind <- Which],
    [counter(Call, Rounds) || {call, Call} <- Costs],
    Status = case Kinds of
                 [] -> functions(Rounds, Build ++ "/erltrace");
                 _ -> 0
             end,
    off(Costs, Rounds, Build),
    erlang:halt(Status).

print(Kind, #{untraced := Untraced, empty := Empty, count := Count, quantize := Quantize, dbg := Dbg}) ->
    Name = name(Kind),
    [row([Name, ", ", Way], Ns, To, Base) || {Way, Ns, To, Base} <- [{"untraced", Untraced, "", 0},
                                                                    {"empty tracer", Empty, "untraced", Untraced},
                                                                    {"keyed count", Count, "an empty tracer", Empty},
                                                                    {"quantize", Quantize, "an empty tracer", Empty},
                                                                    {"dbg", Dbg, "a keyed count", Count}]],
    Text = io_lib:format("~-12s ~10.1f ~10.1f ~7.1f ~6s ~9.1f ~6s ~8.1f, ~.1f x count; aim +~b~s",
                         [Kind, Untraced, Empty, Count, added(Kind, Count, Empty), Quantize, added(Kind, Quantize, Empty),
                          Dbg, Dbg / Count, aim(Kind), [" MISSED" || (Count - Empty) / events(Kind) >= aim(Kind) + 0.5]]),
    io:format("~s~n", [Text]).

%% As report_json() of bench/report.h.
row(What, Ns, To, Base) ->
    row(What, Ns, "ns", To, Base).

row(What, Value, Unit, To, Base) ->
    case os:getenv("BENCH_JSON", "") of
        "" -> ok;
        File ->
            Ratio = [io_lib:format(",\"ratio\":~.2f,\"to\":\"~s\"", [Value / Base, To]) || Base > 0],
            Row = io_lib:format("{\"bench\":\"vm\",\"what\":\"~s\",\"value\":~.1f,\"unit\":\"~s\"~s}~n", [What, float(Value), Unit, Ratio]),
            ok = file:write_file(File, Row, [append])
    end.

name(call_return) -> "call and return";
name(spawn) -> "spawn and exit";
name(scheduled) -> "scheduled and out";
name(Kind) -> atom_to_list(Kind).

added(Kind, Cost, Floor) ->
    lists:flatten(io_lib:format("~s~b", [["+" || Cost >= Floor], round((Cost - Floor) / events(Kind))])).

%% The most that a keyed count should add to an event, above the empty tracer (docs/performance.md).
aim(call) -> 35;
aim(spawn) -> 80;
aim(_) -> 45.

events(call_return) -> 2;
events(_) -> 1.

%% In turns, so that a slow minute of the machine affects all ways alike.
costs(Kind, Rounds, Erltrace) ->
    Turns = [{Way, turn(Kind, Way, Erltrace)} || _ <- lists:seq(1, Rounds), Way <- ?WAYS],
    Costs = lists:foldl(fun({Way, Ns}, Acc) -> maps:update_with(Way, fun(Old) -> min(Old, Ns) end, Ns, Acc) end, #{}, Turns),
    print(Kind, Costs),
    Costs.

turn(Kind, Way, Erltrace) ->
    Undo = switch_on(Kind, Way, Erltrace),
    Ns = undisturbed(fun() -> one_slice(workload(Kind)) end),
    Undo(),
    Ns.

%% The first slice fills tables.
undisturbed(Slice) ->
    Slice(),
    lists:nth(1 + ?SLICES div 20, lists:sort([Slice() || _ <- lists:seq(1, ?SLICES)])).

%% Keyed counts inside the node and in the kernel. If a process is only followed, there is nothing to count in the node.
mixed(Kind, Rounds, Erltrace) ->
    Best = fun(Way) -> lists:min([turn(Kind, Way, Erltrace) || _ <- lists:seq(1, Rounds)]) end,
    io:format("~-12s ~10.1f ~12.1f ~13.1f~n", [Kind, Best(untraced), Best(count), Best(mixed)]).

%% A key in a probe of a system call: the process, beside names that are known at no cost.
system_call(Rounds, Erltrace) ->
    Ways = [untraced, plain, name, eproc],
    Turns = [{Way, turn(syscall, Way, Erltrace)} || _ <- lists:seq(1, Rounds), Way <- Ways],
    [Untraced, Plain, Name, Eproc] = [lists:min([Ns || {W, Ns} <- Turns, W =:= Way]) || Way <- Ways],
    io:format("system call ~11.1f, counted ~.1f, by probefunc ~.1f, by eproc ~.1f~n", [Untraced, Plain, Name, Eproc]).

%% Sampling: only the clock, stacks of Erlang and C, and with those of the kernel and the process.
flame(Rounds, Erltrace) ->
    Ways = [untraced, clock, ustack, flame],
    Turns = [{Way, turn(flame, Way, Erltrace)} || _ <- lists:seq(1, Rounds), Way <- Ways],
    [Untraced | Others] = [lists:min([Ns || {W, Ns} <- Turns, W =:= Way]) || Way <- Ways],
    [Clock, Ustack, Flame] = [100 * (Ns - Untraced) / Untraced || Ns <- Others],
    io:format("a sample is counted ~.2f, by ustack() ~.2f, by eproc, ustack(), stack() ~.2f~n", [Clock, Ustack, Flame]),
    [io:format("~s:~s~n", [Way, [io_lib:format(" ~.1f", [Ns / 1000]) || {W, Ns} <- Turns, W =:= Way]]) || Way <- Ways].

%% What a call costs that the VM counts, as it does for scripts that only count (erltrace_counters.erl).
counter(#{untraced := Untraced, empty := Empty, count := Count}, Rounds) ->
    Counted = lists:min([turn(call, counter, none) || _ <- lists:seq(1, Rounds)]),
    row("call, only counted by the VM", Counted, "untraced", Untraced),
    io:format("~ncall, only counted by the VM: ~.1f; above untraced: ~.1f, an empty tracer ~.1f times that, a keyed count with events ~.1f times~n",
              [Counted, Counted - Untraced, (Empty - Untraced) / (Counted - Untraced), (Count - Untraced) / (Counted - Untraced)]).

%% -- all functions are counted -----------------------------------------------------------------------------------

%% The mean, so that reading the counters counts too. A program that mostly calls small functions, as the compiler does,
%% is about the worst case. Returns the status for the shell: 1 if the VM's counters take more than the bound.
functions(Rounds, Erltrace) ->
    Forms = [form(T) || T <- ["-module(many).", "-compile([export_all, nowarn_export_all])."]
                            ++ [io_lib:format("f~b(X, [H | T]) when X > ~b -> case H of {a, Y} -> [Y + X | f~b(Y, T)]; "
                                              "#{k := V} -> f~b(V, [T, X]); _ -> {X, T, <<X:16>>} end; f~b(X, Y) -> {Y, X}.",
                                              [I, I, I, I - 1, I]) || I <- lists:seq(1, 40)]
                            ++ ["f0(X, _) -> X."]],
    Compile = fun(_) -> {ok, _, _} = compile:forms(Forms, [binary]) end,
    _ = application:load(compiler),
    {ok, Modules} = application:get_key(compiler, modules),
    ok = code:ensure_modules_loaded(Modules),
    Compile(0), % loads what it needs
    Calls = [{compiler, calls_of(Modules, Compile)}, {node, calls_of(erlang:loaded(), Compile)}],
    Ways = [untraced, compiler | [node || has_sessions()]],
    Turns = [{Way, functions_turn(Way, Modules, Compile, Erltrace)} || _ <- lists:seq(1, Rounds), Way <- Ways],
    [{_, Untraced} | Others] = [{Way, lists:min([Ns || {W, Ns} <- Turns, W =:= Way])} || Way <- Ways],
    row("compiling a module, untraced", Untraced / 1.0e3, "us", "", 0),
    io:format("~ncompiling a module: ~.1f ms~n", [Untraced / 1.0e6]),
    Each = [begin
                Called = proplists:get_value(Way, Calls),
                row(["compiling a module, calls counted: ", what(Way)], Ns / 1.0e3, "us", "untraced", Untraced / 1.0e3),
                row(["a counted call, ", what(Way), ", above untraced"], (Ns - Untraced) / Called, "ns", "", 0),
                io:format("  ~b calls counted, ~s: ~.1f ms, ~.2f times, ~.1f ns a call~n",
                          [Called, what(Way), Ns / 1.0e6, Ns / Untraced, (Ns - Untraced) / Called]),
                (Ns - Untraced) / Called
            end || {Way, Ns} <- Others],
    io:format("  the bound is ~b ns a call with counters~n", [?BOUND]),
    case has_sessions() andalso lists:max(Each) > ?BOUND of
        true -> io:format("  that is more than the bound~n"), 1;
        false -> 0
    end.

%% How many it takes.
calls_of(Modules, Compile) ->
    [erlang:trace_pattern({M, '_', '_'}, true, [call_count]) || M <- Modules],
    Compile(1),
    Counts = [erlang:trace_info({M, F, A}, call_count) || M <- Modules, {F, A} <- erlang:get_module_info(M, functions)],
    [erlang:trace_pattern({M, '_', '_'}, false, [call_count]) || M <- Modules],
    lists:sum([N || {call_count, N} <- Counts, is_integer(N)]).

form(Text) ->
    {ok, Tokens, _} = erl_scan:string(lists:flatten(Text)),
    {ok, Form} = erl_parse:parse_form(Tokens),
    Form.

what(compiler) ->
    case has_sessions() of
        true -> "all of the compiler, by the VM";
        false -> "all of the compiler, by events"
    end;
what(node) -> "all of the node, by the VM".

functions_turn(Way, Modules, Compile, Erltrace) ->
    Undo = count_functions(Way, Modules, Erltrace),
    Ns = [one_slice({1, Compile}) || _ <- lists:seq(1, 21)],
    Undo(),
    lists:sum(tl(Ns)) / 20.

count_functions(untraced, _, _) ->
    fun() -> ok end;
count_functions(Way, Modules, Erltrace) ->
    Probes = case Way of
                 compiler -> lists:join(", ", [io_lib:format("erlang*:~s:*:entry", [M]) || M <- Modules]);
                 node -> "erlang*:*:*:entry"
             end,
    erltrace(Erltrace, ["-n", lists:flatten([Probes, " { @[probemod, probefunc] = count(); } END { trunc(@); } "
                                             "tick-50ms { printf(\"ready\\n\"); }"])]).

%% -- what is off -------------------------------------------------------------------------------------------------

%% The same operations after scripts have come and gone, and own probes that nobody has enabled, without the loop's own
%% cost.
off(Costs, Rounds, Build) ->
    io:format("~noff: ns for an operation before any script, and after the last~n"),
    [begin
         After = lists:min([turn(Kind, untraced, none) || _ <- lists:seq(1, Rounds)]),
         io:format("~-12s ~10.1f ~10.1f~n", [Kind, Before, After])
     end || {Kind, #{untraced := Before}} <- Costs],
    true = code:add_patha(Build ++ "/otp/erltrace/ebin"),
    {ok, H} = erltrace:script("BEGIN { }"), %% so that the library is loaded
    ok = erltrace:go(H),
    ok = erltrace:close(H),
    Best = fun(F) -> lists:min([undisturbed(fun() -> one_slice({20000, F}) end) || _ <- lists:seq(1, Rounds)]) end,
    Loop = Best(fun nothing/1),
    [io:format("~-42s ~4.1f~n", [Name, Best(F) - Loop])
     || {Name, F} <- [{"erltrace:p(), disabled", fun p0/1},
                      {"erltrace:p(N, 2, \"s\", <<\"b\">>), disabled", fun p4/1},
                      {"erltrace:pn(17, N), disabled", fun pn/1}]].

nothing(0) -> ok;
nothing(N) -> nothing(N - 1).

p0(0) -> ok;
p0(N) -> false = erltrace:p(), p0(N - 1).

p4(0) -> ok;
p4(N) -> false = erltrace:p(N, 2, "s", <<"b">>), p4(N - 1).

pn(0) -> ok;
pn(N) -> false = erltrace:pn(17, N), pn(N - 1).

%% -- workloads ---------------------------------------------------------------------------------------------------

one_slice({N, Fun}) ->
    Self = self(),
    %% a process of its own, so that the bench's heap does not matter
    {Pid, Ref} = spawn_monitor(fun() -> Self ! {self(), timed(Fun, N)} end),
    Ns = receive {Pid, T} -> T end,
    receive {'DOWN', Ref, _, _, _} -> ok end,
    Ns / N.

timed(Fun, N) ->
    erlang:garbage_collect(),
    T0 = empty_tracer:cpu_time(),
    Fun(N),
    erlang:yield(), %% a tracer process with high priority empties its mailbox here
    empty_tracer:cpu_time() - T0.

%% Operations in a slice.
workload(call) -> {10000, fun calls/1};
workload(call_return) -> {5000, fun calls/1};
workload(send) -> {10000, fun(N) -> sends(sink(), N) end};
workload(spawn) -> {1500, fun spawns/1};
workload(scheduled) -> {8000, fun yields/1};
workload(flame) -> {2000, fun works/1};
workload(syscall) -> {4000, fun(N) -> {ok, S} = socket:open(inet, stream), gets(S, N), socket:close(S) end}.

%% Each is a system call on the scheduler itself.
gets(_, 0) -> ok;
gets(S, N) -> {ok, _} = socket:getopt(S, {socket, rcvbuf}), gets(S, N - 1).

%% Some of everything: funs, BIFs and garbage.
works(0) -> ok;
works(N) ->
    List = lists:seq(1, 300),
    _ = lists:sort(fun(A, B) -> A > B end, List),
    _ = erlang:phash2(List),
    List = binary_to_term(term_to_binary(List)),
    works(N - 1).

calls(0) -> ok;
calls(N) -> _ = ?MODULE:leaf(N), calls(N - 1).

leaf(N) -> N band 7.

%% The receiver's part is in the cost too: a message's whole life.
sink() -> spawn_link(fun F() -> receive {stop, Pid} -> Pid ! stopped; _ -> F() end end).

sends(Pid, 0) -> Pid ! {stop, self()}, receive stopped -> ok end;
sends(Pid, N) -> Pid ! N, sends(Pid, N - 1).

spawns(0) -> ok;
spawns(N) ->
    {_, Ref} = spawn_monitor(?MODULE, child, []),
    receive {'DOWN', Ref, _, _, _} -> ok end,
    spawns(N - 1).

child() -> ok.

yields(0) -> ok;
yields(N) -> erlang:yield(), yields(N - 1).

%% -- ways of tracing: each gives a fun that undoes it --------------------------------------------------------------

switch_on(_, untraced, _) ->
    fun() -> ok end;
switch_on(Kind, empty, _) ->
    Tracer = {tracer, empty_tracer, tag(Kind)},
    patterns(Kind, true),
    erlang:trace(new_processes, true, [Tracer | flags(Kind)]),
    fun() ->
            erlang:trace(all, false, [Tracer | flags(Kind)]),
            patterns(Kind, false)
    end;
switch_on(Kind, dbg, _) ->
    {ok, _} = dbg:tracer(process, {fun count/2, #{}}),
    {ok, _} = dbg:p(new_processes, flags(Kind) -- [return_to]),
    %% return_to does not tell who returns. From OTP 27 on dbg has a session of its own, so it must set the pattern.
    [{ok, _} = dbg:tpl(?MODULE, leaf, 1, Spec)
     || {K, Spec} <- [{call, []}, {call_return, [{'_', [], [{return_trace}]}]}], K =:= Kind],
    fun() -> dbg:stop_clear() end;
switch_on(call, counter, _) ->
    Set = case has_sessions() of
              true -> Session = trace:session_create(counter, self(), []),
                      fun(On) -> trace:function(Session, {?MODULE, leaf, 1}, On, [call_count]) end;
              false -> fun(On) -> erlang:trace_pattern({?MODULE, leaf, 1}, On, [call_count]) end
          end,
    1 = Set(true),
    fun() -> Set(false) end;
switch_on(Kind, Way, Erltrace) ->
    Script = "BEGIN { printf(\"ready\\n\"); } " ++ script(Kind, Way),
    Undo = erltrace(Erltrace, ["-x", "counters=off", "-n", Script]),
    wait_traced(100),
    Undo.

%% The command, on this node, until its script says "ready".
erltrace(Erltrace, Args) ->
    Port = open_port({spawn_executable, Erltrace},
                     [{args, ["-N", atom_to_list(node()), "--cookie", atom_to_list(erlang:get_cookie()), "-q",
                              "-x", "maxoverhead=100" | Args]},
                      stream, exit_status, binary, use_stdio, stderr_to_stdout]),
    wait_ready(Port, <<>>),
    fun() ->
            {os_pid, Pid} = erlang:port_info(Port, os_pid),
            os:cmd("kill -INT " ++ integer_to_list(Pid)),
            wait_end(Port)
    end.

%% dbg's handler: counts by function, by receiver, or by whatever else the event is about.
count({trace, _, spawned, _, Key}, Map) -> add(Key, Map);
count({trace, _, send, _, Key}, Map) -> add(Key, Map);
count({trace, _, return_from, Key, _}, Map) -> add(Key, Map);
count({trace, _, _, Key}, Map) -> add(Key, Map);
count(_, Map) -> Map.

add(Key, Map) ->
    case Map of
        #{Key := N} -> Map#{Key := N + 1};
        _ -> Map#{Key => 1}
    end.

wait_ready(Port, Seen) ->
    receive
        {Port, {data, D}} ->
            All = <<Seen/binary, D/binary>>,
            case binary:match(All, <<"ready">>) of
                nomatch -> wait_ready(Port, All);
                _ -> ok
            end;
        {Port, {exit_status, S}} ->
            give_up("erltrace ended with ~p: ~s~n", [S, Seen])
    after 20000 ->
        give_up("erltrace does not start: ~s~n", [Seen])
    end.

wait_traced(0) ->
    give_up("erltrace traces nothing~n", []);
wait_traced(N) ->
    timer:sleep(50),
    IsTraced = case has_sessions() of
                   true -> lists:any(fun({Name, _} = S) -> Name =:= erltrace andalso trace:info(S, new_processes, flags) =/= {flags, []} end,
                                     trace:session_info(all));
                   false -> erlang:trace_info(new_processes, flags) =/= {flags, []}
               end,
    case IsTraced of
        false -> wait_traced(N - 1);
        true -> ok
    end.

has_sessions() -> erlang:system_info(otp_release) >= "27".

%% The modules that the command brought are removed too, after it has ended.
wait_gone(0) ->
    give_up("erltrace's modules stay~n", []);
wait_gone(N) ->
    timer:sleep(50),
    case code:is_loaded(erltrace_tracer) of
        false -> ok;
        _ -> wait_gone(N - 1)
    end.

%% Prints what the command said, if that was more than its aggregations.
wait_end(Port) ->
    receive
        {Port, {data, D}} ->
            binary:match(D, [<<"erltrace:">>, <<" drop">>]) =:= nomatch orelse binary:match(D, <<"never fired">>) =/= nomatch
                orelse io:format("~s~n", [D]),
            wait_end(Port);
        {Port, {exit_status, 0}} ->
            wait_gone(200);
        {Port, {exit_status, S}} ->
            give_up("erltrace ended with ~p~n", [S])
    after 20000 ->
        give_up("erltrace does not end~n", [])
    end.

give_up(Format, Args) ->
    io:format(Format, Args),
    erlang:halt(1).

flags(call) -> [call, arity];
flags(call_return) -> [call, arity, return_to];
flags(send) -> [send];
flags(spawn) -> [procs];
flags(scheduled) -> [running_procs].

%% The tag that is counted; [] means all.
tag(spawn) -> spawned;
tag(scheduled) -> in;
tag(_) -> [].

%% Ends is the match specification where the ends of calls are traced.
patterns(call, Ends) ->
    erlang:trace_pattern({?MODULE, leaf, 1}, Ends =/= false, [local]);
patterns(call_return, Ends) ->
    erlang:trace_pattern({?MODULE, leaf, 1}, Ends, [local]);
patterns(_, _) ->
    ok.

%% The other half never fires.
script(scheduled, mixed) ->
    "syscall::acct:entry { @never[eproc] = count(); }";
script(syscall, plain) ->
    "syscall::getsockopt:entry /pid == $target/ { @ = count(); } syscall::acct:entry { @never[eproc] = count(); }";
script(syscall, name) ->
    "syscall::getsockopt:entry /pid == $target/ { @[probefunc] = count(); } syscall::acct:entry { @never[eproc] = count(); }";
script(syscall, eproc) ->
    "syscall::getsockopt:entry /pid == $target/ { @[eproc] = count(); }";
script(flame, clock) ->
    "profile-997 /pid == $target/ { @ = count(); } syscall::acct:entry { @never[eproc] = count(); }";
script(flame, ustack) ->
    "profile-997 /pid == $target/ { @[ustack()] = count(); } syscall::acct:entry { @never[eproc] = count(); }";
script(flame, flame) ->
    "profile-997 /pid == $target/ { @[eproc, ustack(), stack()] = count(); }";
script(Kind, mixed) ->
    script(Kind, count) ++ " syscall::acct:entry { @other = count(); }";
script(call, count) ->
    "erlang*:bench_tracer:leaf/1:entry { @[probefunc] = count(); }";
script(call, quantize) ->
    "erlang*:bench_tracer:leaf/1:entry { @[probefunc] = quantize(timestamp); }";
script(call_return, count) ->
    "erlang*:bench_tracer:leaf/1:entry, erlang*:bench_tracer:leaf/1:return { @[probefunc] = count(); }";
script(call_return, quantize) ->
    "erlang*:bench_tracer:leaf/1:entry { self->t = timestamp; } "
    "erlang*:bench_tracer:leaf/1:return /self->t/ { @[probefunc] = quantize(timestamp - self->t); self->t = 0; }";
script(send, count) ->
    "erlang*:::message-send { @[copyinstr(arg1)] = count(); }";
script(send, quantize) ->
    "erlang*:::message-send { @[copyinstr(arg1)] = quantize(arg2); }";
script(spawn, count) ->
    "erlang*:::process-spawn { @[copyinstr(arg1)] = count(); }";
script(spawn, quantize) ->
    "erlang*:::process-spawn { @[copyinstr(arg1)] = quantize(timestamp); }";
script(scheduled, count) ->
    "erlang*:::process-scheduled { @[copyinstr(arg1)] = count(); }";
script(scheduled, quantize) ->
    "erlang*:::process-scheduled { @[copyinstr(arg1)] = quantize(timestamp); }".
