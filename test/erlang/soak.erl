%% A node with trouble of every kind, for soak.sh: code that changes, storms of processes, blocked dirty schedulers,
%% memory pressure, and another tracing tool. start(Fifo) begins and stop() ends all of it; measure() returns the amount
%% of everything that must not grow, and grown(Before) what has grown since then, or nothing.
-module(soak).
-export([start/1, stop/0, measure/0, grown/1, new_atoms/1, foreign/0]).

-define(attempt(E), (try E catch _:_ -> failed end)).

start(Fifo) ->
    {ok, _} = application:ensure_all_started(crypto),
    logger:set_primary_config(level, none),
    Self = self(),
    spawn(fun() ->
              register(?MODULE, self()),
              Versions = [version(V) || V <- [1, 2]],
              {module, soak_code} = code:load_binary(soak_code, "soak_code.beam", hd(Versions)),
              Foreign = spawn_link(fun foreign_tool/0),
              Troubles = [spawn_link(F) || F <- [fun() -> upgrade(Versions) end, fun caller/0, fun caller/0, fun storm/0,
                                                 fun dirty_cpu/0, fun memory/0]],
              Io = spawn_link(fun() -> dirty_io(Fifo) end),
              process_flag(trap_exit, true),
              Self ! started,
              wait(Troubles, Io, Foreign)
          end),
    receive started -> ok end.

wait(Troubles, Io, Foreign) ->
    receive
        {stop, From} ->
            Foreign ! {stop, self()},
            Told = receive {foreign, Lost} -> Lost end,
            %% nobody may be left waiting for the pipe: that would hold a dirty scheduler, and everything that needs one
            Io ! stop,
            receive {'EXIT', Io, _} -> ok end,
            [begin exit(P, kill), receive {'EXIT', P, _} -> ok end end || P <- Troubles],
            code:purge(soak_code),
            code:delete(soak_code),
            code:purge(soak_code),
            From ! {stopped, Told};
        {'EXIT', P, Why} ->
            exit({trouble_ended, P, Why})
    end.

%% How often the other tool found that its tracing had been changed.
stop() ->
    Ref = monitor(process, ?MODULE),
    ?MODULE ! {stop, self()},
    receive {stopped, Told} -> demonitor(Ref, [flush]), Told; {'DOWN', Ref, _, _, Why} -> Why end.

version(V) ->
    {ok, soak_code, Beam} =
        compile:forms([{attribute, 1, module, soak_code},
                       {attribute, 1, export, [{f, 1}]},
                       {function, 1, f, 1, [{clause, 1, [{var, 1, 'X'}], [], [{tuple, 1, [{integer, 1, V}, {var, 1, 'X'}]}]}]}]),
    Beam.

upgrade([A, B]) ->
    code:soft_purge(soak_code) andalso code:load_binary(soak_code, "soak_code.beam", A),
    timer:sleep(50 + rand:uniform(300)),
    upgrade([B, A]).

caller() ->
    [soak_code:f(X) || X <- lists:seq(1, 200)],
    timer:sleep(1),
    caller().

storm() ->
    N = rand:uniform(2000),
    [spawn(fun() -> self() ! x, receive x -> ok end end) || _ <- lists:seq(1, N)],
    timer:sleep(100 + rand:uniform(400)),
    storm().

%% All of the dirty IO schedulers wait for somebody to write into a pipe.
dirty_io(Fifo) ->
    Readers = [spawn_monitor(fun() -> prim_file:read_file(Fifo) end) || _ <- lists:seq(1, erlang:system_info(dirty_io_schedulers))],
    Stop = stop_within(500 + rand:uniform(1500)),
    release(Fifo, Readers),
    Stop orelse stop_within(rand:uniform(3000)) orelse dirty_io(Fifo).

stop_within(Ms) ->
    receive stop -> true after Ms -> false end.

release(_, []) -> ok;
release(Fifo, [{_, Ref} | Rest] = Readers) ->
    %% not os:cmd(), which asks a dirty scheduler for the shell
    Port = open_port({spawn_executable, "/bin/sh"}, [{args, ["-c", "exec 3<>" ++ Fifo ++ "; sleep 0.1"]}, exit_status]),
    receive {Port, {exit_status, _}} -> ok end,
    receive {'DOWN', Ref, _, _, _} -> release(Fifo, Rest) after 0 -> release(Fifo, Readers) end.

dirty_cpu() ->
    Workers = [spawn_monitor(fun() -> crypto:pbkdf2_hmac(sha256, <<"x">>, <<"soaksoak">>, 200000 + rand:uniform(400000), 32) end)
               || _ <- lists:seq(1, erlang:system_info(dirty_cpu_schedulers))],
    [receive {'DOWN', Ref, _, _, _} -> ok end || {_, Ref} <- Workers],
    timer:sleep(rand:uniform(4000)),
    dirty_cpu().

memory() ->
    Much = binary:copy(<<"0123456789abcdef">>, (1 + rand:uniform(6)) bsl 20),
    timer:sleep(300),
    true = byte_size(Much) > 0,
    garbage_collect(),
    timer:sleep(rand:uniform(2000)),
    memory().

%% Another tool, which traces calls of one process for some time, again and again. It may not be able to begin while a
%% script traces that process (before OTP 27 a process has only one tracer). What it has set must stay.
foreign() -> ok.

foreign_tool() ->
    Traced = spawn_link(fun Loop() -> foreign(), timer:sleep(5), Loop() end),
    foreign_tool(Traced, 0).

foreign_tool(Traced, Lost) ->
    Began = ?attempt(erlang:trace(Traced, true, [call])),
    erlang:trace_pattern({?MODULE, foreign, 0}, true, [local]),
    Stop = hold(500 + rand:uniform(1500)),
    Mine = erlang:trace_info(Traced, tracer) =:= {tracer, self()},
    Now = case Began of
              1 when not Mine -> Lost + 1;
              _ -> Lost
          end,
    ?attempt(erlang:trace(Traced, false, [call])),
    erlang:trace_pattern({?MODULE, foreign, 0}, false, [local]),
    flush(),
    case Stop of
        none -> none = hold_or(rand:uniform(1000), fun(From) -> done(From, Traced, Now) end), foreign_tool(Traced, Now);
        From -> done(From, Traced, Now)
    end.

done(From, Traced, Lost) ->
    unlink(Traced),
    exit(Traced, kill),
    unlink(From),
    From ! {foreign, Lost},
    exit(normal).

hold(Ms) ->
    receive {stop, From} -> From after Ms -> none end.

hold_or(Ms, Fun) ->
    case hold(Ms) of none -> none; From -> Fun(From) end.

flush() ->
    receive T when element(1, T) =:= trace -> flush() after 0 -> ok end.

%% {What, Number}: what must not grow.
measure() ->
    [garbage_collect(P) || P <- processes()],
    {ok, Fds} = file:list_dir("/proc/self/fd"),
    {ok, Tasks} = file:list_dir("/proc/self/task"),
    {ok, F} = file:open("/proc/self/statm", [read, raw]),
    {ok, Line} = file:read(F, 200),
    file:close(F),
    [_, Resident | _] = string:lexemes(Line, " "),
    [{memory_mb, erlang:memory(total) bsr 20},
     {resident_mb, list_to_integer(Resident) * 4 bsr 10},
     {processes, length([P || P <- processes(), not is_of_load(P)])},
     {ports, length(erlang:ports())},
     {tables, length(ets:all())},
     {atoms, atoms()},
     {modules, length(erlang:loaded())},
     {fds, length(Fds)},
     {threads, length(Tasks)}].

%% Without the names of commands: there are as many as commands at once on this machine, whatever nodes they go to.
atoms() ->
    length(new_atoms(0)).

%% Those after the first N of them, by name.
new_atoms(N) ->
    All = [atom_to_list(binary_to_term(<<131, 75, I:24>>)) || I <- lists:seq(0, erlang:system_info(atom_count) - 1)],
    lists:nthtail(N, [A || A <- All, not lists:prefix("erltrace_", A) orelse not lists:member($@, A)]).

%% What grows with each script is found because there were many. The room is for the heaps of the node's own processes
%% and of malloc. A script makes no atom. The few are those that the VM makes when something is traced or asked for the
%% first time, and the names of drops that a script had for the first time (ENG_DROPS).
grown(Before) ->
    grown(Before, 40).

grown(Before, Tries) ->
    After = measure(),
    Room = #{memory_mb => 24, resident_mb => 96, processes => 3, ports => 1, tables => 0, atoms => 12 + of_modules(Before, After), modules => 2,
             fds => 0, threads => 0},
    case [{K, B, A} || {{K, B}, {K, A}} <- lists:zip(Before, After), A > B + maps:get(K, Room)] of
        [] -> nothing;
        Grown when Tries =:= 1 -> Grown;
        _ -> timer:sleep(500), grown(Before, Tries - 1)
    end.

%% A module of OTP that is used for the first time brings its atoms.
of_modules(Before, After) ->
    100 * max(0, proplists:get_value(modules, After) - proplists:get_value(modules, Before)).

%% The load leaves some that wait for ever.
is_of_load(P) ->
    case process_info(P, current_stacktrace) of
        {_, Stack} -> lists:keymember(fuzz_load, 1, Stack) orelse lists:keymember(?MODULE, 1, Stack);
        undefined -> true
    end.
