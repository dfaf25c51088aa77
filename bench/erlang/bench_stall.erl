%% How long a node stands still when a script starts and ends: with many processes and one probed function, and with
%% many functions, all of them probed.
%%
%% On each scheduler a process runs all the time and notes how much CPU time the node has used between two of its turns.
%% So what other programs on the machine use does not count. Without a script that is nearly nothing.
%%
%% erl +P 1000000 +S N -sname NAME -run bench_stall main BUILD PROCESSES FUNCTIONS ROUNDS
-module(bench_stall).
-export([main/1, probed/1]).

main([Build, Processes, Functions, Rounds]) ->
    io:format("~s schedulers; ms: longest stand-still in CPU time, the best of ~s rounds and their median; start and end of the script in wall time~n", [integer_to_list(erlang:system_info(schedulers)), Rounds]),
    Erltrace = Build ++ "/erltrace",
    N = list_to_integer(Processes),
    Idle = [spawn(fun idle/0) || _ <- lists:seq(1, N)],
    report(Processes ++ " processes, one function", Rounds,
           fun() -> run(Erltrace, "erlang*:bench_stall:probed/1:entry { @ = count(); }") end),
    [exit(P, kill) || P <- Idle],
    Modules = modules(list_to_integer(Functions)),
    report(Functions ++ " functions, all of them", Rounds,
           fun() -> run(Erltrace, "erlang*:::function-entry /copyinstr(arg0) == \"<0.0.99>\"/ { @ = count(); }") end),
    _ = Modules,
    erlang:halt(0).

report(What, Rounds, Fun) ->
    Numbers = [{watched(fun() -> timer:sleep(1500), {0, 0} end), watched(Fun)} || _ <- lists:seq(1, list_to_integer(Rounds))],
    Without = [W || {{W, _}, _} <- Numbers],
    With = [W || {_, {W, _}} <- Numbers],
    Took = [T || {_, {_, T}} <- Numbers],
    io:format("~-40s without ~3b ~3b   with ~3b ~3b   start and end ~6.1f and ~6.1f~n",
              [What, lists:min(Without), median(Without), lists:min(With), median(With),
               median([S || {S, _} <- Took]), median([E || {_, E} <- Took])]).

median(List) -> lists:nth((length(List) + 1) div 2, lists:sort(List)).

idle() -> receive never -> ok end.

probed(X) -> X.

%% As many functions as asked for, in modules of 300.
modules(N) ->
    [begin
         Name = list_to_atom("bench_stall_" ++ integer_to_list(I)),
         Forms = [{attribute, 1, module, Name}, {attribute, 1, compile, export_all}
                  | [{function, 1, list_to_atom("f" ++ integer_to_list(F)), 1, [{clause, 1, [{var, 1, 'X'}], [], [{var, 1, 'X'}]}]}
                     || F <- lists:seq(1, 300)]],
         {ok, Name, Code} = compile:forms(Forms, []),
         {module, Name} = code:load_binary(Name, "none", Code),
         Name
     end || I <- lists:seq(1, N div 300)].

%% A script starts, runs a moment and ends. Returns the ms until the first tick, and from the last output to the end.
run(Erltrace, Script) ->
    Port = open_port({spawn_executable, Erltrace},
                     [{args, ["-N", atom_to_list(node()), "--cookie", atom_to_list(erlang:get_cookie()), "-q", "-x", "maxoverhead=1000",
                              "-x", "switchrate=10ms",
                              "-n", Script, "-n", "tick-300ms { printf(\"on\\n\"); exit(0); }"]},
                      {line, 1000}, exit_status, stderr_to_stdout]),
    T0 = ms(),
    On = wait_on(Port),
    receive {Port, {exit_status, 0}} -> ok; {Port, {exit_status, S}} -> io:format("status ~p~n", [S]) end,
    {On - T0 - 300, ms() - On}.

wait_on(Port) ->
    receive
        {Port, {data, {_, "on"}}} -> ms();
        {Port, {data, {_, Line}}} -> io:format("~s~n", [Line]), wait_on(Port);
        {Port, {exit_status, S}} -> self() ! {Port, {exit_status, S}}, ms()
    end.

cpu_ms() -> element(1, statistics(runtime)).

ms() -> erlang:monotonic_time(microsecond) / 1000.

%% Returns {longest time in ms that a watcher did not run while Fun ran, result of Fun}.
watched(Fun) ->
    Self = self(),
    Watchers = [spawn_opt(fun() -> watch(Self, cpu_ms(), 0) end, [{scheduler, I}]) || I <- lists:seq(1, erlang:system_info(schedulers))],
    timer:sleep(100),
    [W ! restart || W <- Watchers],
    Result = Fun(),
    timer:sleep(600), % the hub's end, too
    [W ! tell || W <- Watchers],
    {lists:max([receive {W, Longest} -> Longest end || W <- Watchers]), Result}.

watch(Parent, Last, Longest) ->
    Now = cpu_ms(),
    New = max(Longest, Now - Last),
    receive
        restart -> watch(Parent, Now, 0);
        tell -> Parent ! {self(), New}
    after 0 ->
        erlang:yield(),
        watch(Parent, Now, New)
    end.
