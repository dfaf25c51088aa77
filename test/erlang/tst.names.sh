# Names of processes are shown beside pids in keys by default, and name() gives them as a key and as text. The name is
# the registered name, the label (OTP 27), the function that the process started with, or the nearest ancestor with a
# name. Processes that have ended before they are shown have names too. JSON has both pid and name.
# @@timeout: 180
. "$srcdir/lib.sh"
fail() {
	echo "$*" >&2
	[ -e out ] && sed 's/^/    /' out >&2
	exit 1
}
# Evaluates there what must give ok.
run() {
	got=$(node_eval "$1")
	[ "$got" = ok ] || fail "$1 gives $got"
}
cat >shop_sup.erl <<'ERL'
-module(shop_sup).
-behaviour(supervisor).
-export([start/0, init/1]).
start() ->
    Self = self(),
    spawn(fun() -> {ok, _} = supervisor:start_link({local, shop_sup}, ?MODULE, []), Self ! up, receive never -> ok end end),
    receive up -> ok end.
init([]) ->
    {ok, {#{}, [#{id => clerk, start => {shop_clerk, start_link, []}}]}}.
ERL
cat >shop_clerk.erl <<'ERL'
-module(shop_clerk).
-behaviour(gen_server).
-export([start_link/0, init/1, handle_call/3, handle_cast/2, clerk/0]).
start_link() -> gen_server:start_link(?MODULE, [], []).
init([]) -> {ok, none}.
handle_call(X, _, S) -> {reply, X, S}.
handle_cast(_, S) -> {noreply, S}.
clerk() -> [P || {clerk, P, _, _} <- supervisor:which_children(shop_sup)].
ERL
erlc shop_sup.erl shop_clerk.erl || exit 1
node_start -pa .
run 'shop_sup:start(), [P] = shop_clerk:clerk(), persistent_term:put(clerk, P),
	register(shop_till, spawn(fun() -> F = fun F() -> receive _ -> F() end end, F() end)), ok.'
# The VM tells of messages when the receiver takes them in; a question to it comes behind them.
ask='[ok = gen_server:call(persistent_term:get(clerk), ok) || _ <- lists:seq(1, 50)], [shop_till ! x || _ <- lists:seq(1, 7)],
	{_, _} = process_info(whereis(shop_till), messages), ok.'

trace_start keys -n 'erlang*:::message-queued { @[copyinstr(arg0)] = count(); @by[name(arg0)] = count(); }'
run "$ask"
trace_stop
grep -Eq '^<0\.[0-9]+\.0> shop_clerk:init/1 \(shop_sup\) 5[0-9]$' keys.txt || fail "no name of the server: $(cat keys.txt)"
grep -Eq '^<0\.[0-9]+\.0> shop_till 7$' keys.txt || fail "no registered name: $(cat keys.txt)"
grep -Eq '^shop_clerk:init/1 \(shop_sup\) 5[0-9]$' keys.txt || fail "no key by name: $(cat keys.txt)"
grep -Eq '^shop_till 7$' keys.txt || fail "no key by registered name: $(cat keys.txt)"
grep -q erltrace keys.txt && fail "a process of our own: $(cat keys.txt)"

trace_start off -x pidnames=off -n 'erlang*:::message-queued { @[copyinstr(arg0)] = count(); }'
run "$ask"
trace_stop
grep -Eq '^<0\.[0-9]+\.0> 7$' off.txt || fail "names though they were switched off: $(cat off.txt)"

# as terms, in the formats of printa() and printf(), and traced
trace_start forms -n 'erlang*:gen_server:call/2:entry { @[args[0]] = count(); }
	erlang*:::message-queued /copyinstr(arg0) != "" && !done[copyinstr(arg0)]/ { done[copyinstr(arg0)] = 1; printf("[%s] [%-12.12s]\n", name(arg0), name(copyinstr(arg0))); }
	END { printa("<%-50s|%@d>\n", @); }'
run "$ask"
trace_stop
grep -Eq '^<<0\.[0-9]+\.0> shop_clerk:init/1 \(shop_sup\) +\|50>$' forms.txt || fail "printa: $(cat forms.txt)"
grep -q '^\[shop_till\] \[shop_till \]$' forms.txt || fail "printf: $(cat forms.txt)"

# JSON: the pid stays what it is
env --default-signal "$ERLTRACE" -N "$NODE" --cookie "$COOKIE" --json -x switchrate=20ms \
	-n 'erlang*:::message-queued { @[copyinstr(arg0), 1] = count(); } tick-20ms { trace(1); }' >json 2>&1 &
pid=$!
n=0
until grep -q '"record"' json || [ $n -gt 600 ]; do
	n=$((n + 1))
	sleep 0.1
done
run "$ask"
kill -TERM $pid
wait $pid
grep -Eq '"keys":\["<0\.[0-9]+\.0>",1\],"names":\["shop_till",null\],"value":7' json || fail "JSON: $(grep aggregation json)"

# seen while it lived, and gone when it is shown
trace_start gone -n 'erlang*:::message-queued { @[copyinstr(arg0)] = count(); } tick-100ms { printa("%s is %@d\n", @); }'
wait_for() {
	n=0
	until grep -Eq "$1" gone; do
		n=$((n + 1))
		[ $n -lt 600 ] || fail "$1 does not come: $(tail -20 gone)"
		sleep 0.1
	done
}
run 'P = spawn(fun() -> register(short_lived, self()), F = fun F() -> receive stop -> ok; _ -> F() end end, F() end), persistent_term:put(short, P), [P ! x || _ <- lists:seq(1, 30)], ok.'
wait_for '^<0\.[0-9]+\.0> short_lived is 30$'
run 'P = persistent_term:get(short), R = monitor(process, P), P ! stop, receive {_, R, _, _, _} -> ok end.'
wait_for '^<0\.[0-9]+\.0> short_lived is 31$'
trace_stop

# odd names do nothing to a terminal; nobody's name is longer than a line
run 'P = spawn(fun() -> register(list_to_atom("odd \e[31m\n" ++ lists:duplicate(200, $x)), self()), receive stop -> ok end end), persistent_term:put(odd, P), ok.'
trace_start odd -n 'erlang*:::message-queued { @[copyinstr(arg0)] = count(); }'
run '[persistent_term:get(odd) ! x || _ <- lists:seq(1, 13)], {_, _} = process_info(persistent_term:get(odd), messages), ok.'
trace_stop
grep -Eq "^<0\.[0-9]+\.0> 'odd .\\\\e\[31m.\\\\nx+\.\.\. 13\$" odd.txt || grep -Eq "^<0\.[0-9]+\.0> 'odd \\\\e\[31m\\\\nx+\.\.\. 13\$" odd.txt || fail "odd: $(cat odd.txt)"

# a label, where OTP has them
if [ "$(node_eval 'list_to_integer(erlang:system_info(otp_release)) >= 27.')" = true ]; then
	run 'P = spawn(fun() -> apply(proc_lib, set_label, [{queue, <<"orders">>}]), receive stop -> ok end end), persistent_term:put(label, P), ok.'
	trace_start label -n 'erlang*:::message-queued { @[copyinstr(arg0)] = count(); }'
	run '[persistent_term:get(label) ! x || _ <- lists:seq(1, 17)], {_, _} = process_info(persistent_term:get(label), messages), ok.'
	trace_stop
	grep -q '> {queue,<<"orders">>} 17$' label.txt || fail "label: $(cat label.txt)"
fi
[ "$(clean_node)" = clean ] || fail 'not clean'
exit 0
