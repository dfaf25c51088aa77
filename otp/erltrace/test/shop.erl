%% Something to trace: functions with known numbers of calls.
-module(shop).

-export([add/2, fill/1, total/1, crash/0, look/2]).

add(Item, Basket) -> [Item | Basket].

%% Calls add/2 N times.
fill(N) -> fill(N, []).

fill(0, Basket) -> Basket;
fill(N, Basket) -> fill(N - 1, ?MODULE:add(N, Basket)).

total(Basket) -> lists:sum(Basket).

crash() -> error(crashed).

%% Something to look at, with a number.
look(_, Thing) -> Thing.
