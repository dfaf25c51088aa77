%% A small shop under load, for the demonstration: three servers and the customers that call them. The stock server is quick
%% but for one call in fifty, which is what a histogram shows and a mean does not.
-module(shop).
-behaviour(gen_server).
-export([main/0]).
-export([init/1, handle_call/3, handle_cast/2]).

main() ->
    [{ok, _} = gen_server:start_link({local, Server}, ?MODULE, Server, []) || Server <- [cart, stock, payment]],
    [spawn_link(fun() -> customer() end) || _ <- lists:seq(1, 8)],
    ok.

customer() ->
    timer:sleep(rand:uniform(20)),
    gen_server:call(cart, add),
    gen_server:call(stock, reserve),
    rand:uniform(4) =:= 1 andalso gen_server:call(payment, pay),
    customer().

init(Server) -> {ok, Server}.

%% What takes time is done by a process of its own, so that one slow answer does not hold up the others.
handle_call(_, From, Server) ->
    spawn(fun() -> timer:sleep(takes(Server)), gen_server:reply(From, ok) end),
    {noreply, Server}.

handle_cast(_, Server) -> {noreply, Server}.

%% ms
takes(cart) -> 0;
takes(stock) ->
    case rand:uniform(50) of
        1 -> 60 + rand:uniform(40);
        _ -> rand:uniform(4)
    end;
takes(payment) -> 10 + rand:uniform(15).
