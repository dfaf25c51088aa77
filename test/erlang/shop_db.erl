%% For tests of scripts that look at a node and at the kernel: functions that make known numbers of system calls.
-module(shop_db).

-export([burn/0, load/2, load_here/1, other/1, store/2]).

%% Some processes, each of which stores so often, and writes so often otherwise.
load(Processes, Times) ->
    Work = fun() ->
        {ok, Fd} = file:open("/dev/null", [raw, write]),
        [store(Fd, <<"order">>) || _ <- lists:seq(1, Times)],
        write(Fd, Times),
        ok = file:close(Fd)
    end,
    Refs = [element(2, spawn_monitor(Work)) || _ <- lists:seq(1, Processes)],
    [receive {'DOWN', Ref, process, _, Why} -> Why end || Ref <- Refs].

%% The same in this process, without the other writes.
load_here(Times) ->
    {ok, Fd} = file:open("/dev/null", [raw, write]),
    [store(Fd, <<"order">>) || _ <- lists:seq(1, Times)],
    ok = file:close(Fd).

%% Never ends, and is in no other function.
burn() ->
    burn().

%% Two system calls; the process may go on on another scheduler between them.
store(Fd, Data) ->
    ok = file:write(Fd, Data),
    erlang:yield(),
    ok = file:write(Fd, Data),
    ok.

%% A process that only writes. Returns it.
other(Times) ->
    {Pid, Ref} = spawn_monitor(fun() ->
        {ok, Fd} = file:open("/dev/null", [raw, write]),
        write(Fd, Times),
        ok = file:close(Fd)
    end),
    receive {'DOWN', Ref, process, _, normal} -> pid_to_list(Pid) end.

write(_, 0) ->
    ok;
write(Fd, Times) ->
    ok = file:write(Fd, <<"other">>),
    write(Fd, Times - 1).
