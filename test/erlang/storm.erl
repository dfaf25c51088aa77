%% Threads that are not the VM's and programs that come and go: see tst.storm.sh and storm.c.
-module(storm).
-export([load/1, threads/3, messages/3, programs/2]).

load(Library) -> erlang:load_nif(Library, 0).

threads(_, _, _) -> erlang:nif_error(not_loaded).

%% So many times, threads send to processes that take in and forget what comes. Returns how many messages that were.
messages(Times, Threads, Each) ->
    Takers = [spawn(fun Take() -> receive {storm, _, _} -> Take(); {stop, From} -> From ! {self(), stopped} end end)
              || _ <- lists:seq(1, 4)],
    Self = self(),
    [spawn(fun() -> Self ! {sent, [threads(Taker, Threads, Each) || _ <- lists:seq(1, Times)]} end) || Taker <- Takers],
    Sent = lists:sum([receive {sent, Ns} -> lists:sum(Ns) end || _ <- Takers]),
    [begin Taker ! {stop, Self}, receive {Taker, stopped} -> ok end end || Taker <- Takers],
    Sent.

%% Processes each run programs, one after the other. Returns how many ended with 0.
programs(Processes, Each) ->
    Self = self(),
    [spawn(fun() -> Self ! {ran, length([x || _ <- lists:seq(1, Each), program() =:= 0])} end) || _ <- lists:seq(1, Processes)],
    lists:sum([receive {ran, N} -> N end || _ <- lists:seq(1, Processes)]).

program() ->
    Port = open_port({spawn_executable, "/bin/true"}, [exit_status]),
    receive {Port, {exit_status, Status}} -> Status end.
