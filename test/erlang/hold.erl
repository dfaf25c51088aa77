%% Known waits for a lock: see hold.c.
-module(hold).
-export([load/1, keep/2, take/0, rounds/2]).

load(Library) ->
    erlang:load_nif(Library, 0).

%% The calling process waits for the lock N times, about Ms each.
rounds(0, _) ->
    ok;
rounds(N, Ms) ->
    Self = self(),
    spawn(fun() -> ?MODULE:keep(Ms, Self) end),
    receive held -> ok end,
    ok = ?MODULE:take(),
    rounds(N - 1, Ms).

keep(_, _) -> erlang:nif_error(not_loaded).
take() -> erlang:nif_error(not_loaded).
