# The ready-made scripts that look into terms: requests to servers, lookups in tables. Also: a module that is not loaded
# yet is loaded when a probe names it.
. "$srcdir/lib.sh"

cat >served.erl <<'END'
-module(served).
-behaviour(gen_server).
-export([go/0, init/1, handle_call/3, handle_cast/2]).
init(_) -> {ok, ets:new(goods, [named_table])}.
handle_call({price, What}, _, T) -> {reply, ets:lookup(T, What), T};
handle_call(stock, _, T) -> {reply, ets:info(T, size), T}.
handle_cast({put, What, Price}, T) -> ets:insert(T, {What, Price}), {noreply, T}.
go() ->
    {ok, P} = gen_server:start({local, served}, ?MODULE, [], []),
    gen_server:cast(P, {put, book, 5}),
    [gen_server:call(served, {price, X}) || X <- [book, pen, book, cup]],
    [gen_server:call(P, stock) || _ <- [1, 2]],
    gen_server:stop(P).
END
erlc served.erl || exit 1
node_start -pa .
trace_start out -n 'erlang*:served:handle_call/3:entry { @[args[0]] = count(); }'
node_eval 'served:go().'
trace_stop
sort out.txt
trace_start out -s "$srcdir/../../scripts/requests.d"
node_eval 'served:go().'
trace_stop
grep -e price -e stock -e put out.txt | sed 's/<[0-9.]*>/PID/' | sort
trace_start out -s "$srcdir/../../scripts/ets-lookups.d"
node_eval 'served:go().'
trace_stop
grep goods out.txt
clean_node
