%% What the tests of USDT probes of the VM trace. start/0 writes the OS process and waits for the file `go`; then the work
%% named by the environment variable LOAD is done in a process of its own, and LINGER ms later the VM ends.
-module(load).
-export([start/0, main/0, joined/0, echo/1, local/1, called/1, rows/0, applied/0, far/0]).

start() ->
    Work = list_to_atom(os:getenv("LOAD", "main")),
    ok = file:write_file("ready.part", os:getpid()),
    ok = file:rename("ready.part", "ready"),
    wait(),
    {Pid, Ref} = spawn_monitor(?MODULE, Work, []),
    receive {'DOWN', Ref, process, Pid, _} -> ok end,
    timer:sleep(list_to_integer(os:getenv("LINGER", "0"))),
    halt().

wait() ->
    case file:read_file_info("go") of
        {ok, _} -> ok;
        _ -> timer:sleep(20), wait()
    end.

%% 100 processes, each gets one message, answers and ends.
main() ->
    talk([spawn(?MODULE, echo, [self()]) || _ <- lists:seq(1, 100)]),
    local(1000).

%% The same, and it ends after all of them.
joined() ->
    Started = [spawn_monitor(?MODULE, echo, [self()]) || _ <- lists:seq(1, 100)],
    talk([Pid || {Pid, _} <- Started]),
    [receive {'DOWN', Ref, process, Pid, done} -> ok end || {Pid, Ref} <- Started],
    local(1000).

talk(Pids) ->
    [Pid ! {hello, self(), lists:seq(1, 3)} || Pid <- Pids],
    [receive {Pid, answer} -> ok end || Pid <- Pids],
    [receive {Pid, bye} -> ok end || Pid <- Pids],
    ok.

echo(To) ->
    receive {hello, From, _} -> From ! {self(), answer} end,
    To ! {self(), bye},
    exit(done).

local(0) -> ok;
local(N) -> called(N), ?MODULE:called(N), local(N - 1).

called(N) -> N + 1.

%% Calls that the VM makes itself: of functions and arguments that are known only then.
applied() -> [applied(list_to_atom("load"), called, lists:seq(N, N)) || N <- lists:seq(1, 100000)].
applied(M, F, Args) -> apply(M, F, Args), ok.

%% Each thing once that only the VM's own probes tell of.
rows() ->
    %% a driver comes and goes
    Folder = filename:join(code:lib_dir(runtime_tools), "priv/lib"),
    ok = erl_ddll:load(Folder, trace_file_drv),
    ok = erl_ddll:unload(trace_file_drv),
    %% a port that is read from, gets more than fits into a pipe, and is closed
    Port = open_port({spawn, "sh -c 'sleep 1; wc -c'"}, [stream, use_stdio, exit_status]),
    spawn(fun() -> true = port_command(Port, binary:copy(<<"x">>, 1000000)) end),
    timer:sleep(200),
    true = port_command(Port, <<"end">>),
    Port ! {self(), {command, <<"more">>}},
    timer:sleep(1500),
    port_close(Port),
    Reader = open_port({spawn, "echo text"}, [stream, exit_status]),
    receive {Reader, {exit_status, 0}} -> ok end,
    {ok, Listen} = gen_tcp:listen(0, [{ip, {127, 0, 0, 1}}]),
    gen_tcp:close(Listen),
    timer:sleep(100).

%% Messages to a node elsewhere.
far() ->
    Node = list_to_atom(os:getenv("OTHER")),
    pong = net_adm:ping(Node),
    [{nobody, Node} ! {message, N, lists:duplicate(100, x)} || N <- lists:seq(1, 50)],
    {ok, _} = rpc:call(Node, file, get_cwd, []).
