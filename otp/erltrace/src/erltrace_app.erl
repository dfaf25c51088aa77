%% The application. Handles need no started application; subscriptions do.
-module(erltrace_app).
-behaviour(application).

-export([start/2, stop/1]).

start(_Type, _Args) ->
    erltrace_sup:start_link().

stop(_State) ->
    ok.
