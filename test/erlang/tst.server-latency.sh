# scripts/server-latency.d sees every call to a server once, with the name of the server: gen_server by name and by pid,
# with and without a timeout, gen_statem, Elixir's GenServer, and libraries that call gen:call themselves.
# @@timeout: 180
. "$srcdir/lib.sh"
cat >till.erl <<'ERL'
-module(till).
-export([start/0, work/1, init/1, handle_call/3, handle_cast/2]).
start() ->
    {ok, _} = gen_server:start({local, till}, ?MODULE, []  , []),
    {ok, Pid} = gen_server:start(?MODULE, [], []),
    {ok, _} = gen_statem:start({local, door}, door, [], []),
    persistent_term:put(till, Pid),
    ok.
init([]) -> {ok, none}.
handle_call(X, _, S) -> {reply, X, S}.
handle_cast(_, S) -> {noreply, S}.
work(Elixir) ->
    [gen_server:call(till, x) || _ <- lists:seq(1, 11)],
    [gen_server:call(till, x, 5000) || _ <- lists:seq(1, 2)],
    [gen_server:call(persistent_term:get(till), x) || _ <- lists:seq(1, 17)],
    [gen_statem:call(door, x) || _ <- lists:seq(1, 19)],
    [gen_statem:call(door, x, 5000) || _ <- lists:seq(1, 4)],
    %% as gen_server2 does
    [{ok, x} = gen:call(till, '$gen_call', x, infinity) || _ <- lists:seq(1, 7)],
    [apply('Elixir.GenServer', call, [till, x, 5000]) || Elixir, _ <- lists:seq(1, 100)],
    ok.
ERL
cat >door.erl <<'ERL'
-module(door).
-export([callback_mode/0, init/1, handle_event/4]).
callback_mode() -> handle_event_function.
init([]) -> {ok, open, none}.
handle_event({call, From}, X, _, _) -> {keep_state_and_data, [{reply, From, X}]}.
ERL
erlc till.erl door.erl || exit 1
elixir=$(ls -d /usr/lib/elixir/lib/elixir/ebin /usr/local/lib/elixir/lib/elixir/ebin 2>/dev/null | head -1)
node_start -pa . ${elixir:+-pa "$elixir"}
has=false
[ "$(node_eval "element(1, code:ensure_loaded('Elixir.GenServer')).")" = module ] && has=true
[ "$(node_eval 'till:start().')" = ok ] || exit 1
trace_start out -x aggrate=20ms -s "$srcdir/../../scripts/server-latency.d"
[ "$(node_eval "till:work($has).")" = ok ] || exit 1
n=0
until grep -Eq ' door +23 ' out || [ $n -gt 300 ]; do
	n=$((n + 1))
	sleep 0.1
done
trace_stop
seen() {
	grep -Eq "$2 [0-9]+ [0-9]+\$" out.txt && echo "$1 seen" || echo "$1: nothing like $2"
}
seen till '^till 20'
seen pid '^<0\.[0-9]+\.0> till:init/1 17'
seen door '^door 23'
# GenServer.call looks the name up itself
[ $has = true ] && seen GenServer '^<0\.[0-9]+\.0> till 100' || echo 'GenServer seen'
grep -q '^door 23 ' out.txt || cat out.txt >&2
