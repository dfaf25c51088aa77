%% The application's supervisor: scripts that erltrace:subscribe/2 started. A script that ends is not restarted, because
%% its subscriber knows that it ended.
-module(erltrace_sup).
-behaviour(supervisor).

-export([start_link/0, start_runner/2]).
-export([init/1]).

-spec start_link() -> supervisor:startlink_ret().
start_link() ->
    supervisor:start_link({local, ?MODULE}, ?MODULE, []).

-spec start_runner(term(), [erltrace_runner:option()]) -> {ok, pid()} | {error, term()}.
start_runner(Program, Options) ->
    case supervisor:start_child(?MODULE, [Program, Options]) of
        {ok, Pid} when is_pid(Pid) -> {ok, Pid};
        {error, Reason} -> {error, Reason}
    end.

init([]) ->
    Runner = #{id => erltrace_runner, start => {erltrace_runner, start_link, []}, restart => temporary, shutdown => 5000},
    {ok, {#{strategy => simple_one_for_one}, [Runner]}}.
