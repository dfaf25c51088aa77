# A node that -c starts is let go as soon as tracing is on, also when that is before the node has come to the expression that waits for
# it: on a busy machine it does so late. A command that ends at once is not waited for.
# @@timeout: 180
. "$srcdir/lib.sh"
HOME=$PWD
export HOME
cat >slow_user.erl <<'ERL'
%% Started after the distribution, and before any expression.
-module(slow_user).
-export([start/0, held/0]).
start() ->
    timer:sleep(4000),
    persistent_term:put(?MODULE, erlang:monotonic_time(millisecond)),
    case code:ensure_loaded(user) of
        {module, Before} -> Before:start();
        _ -> user_drv:start(#{initial_shell => noshell, input => true}) % from OTP 26 on
    end.
held() ->
    erlang:monotonic_time(millisecond) - persistent_term:get(?MODULE).
ERL
erlc slow_user.erl || exit 1
"$ERLTRACE" -q -x aggrate=50ms -n 'BEGIN { printf("on\n"); } erlang*:lists:seq/2:entry { @["seq"] = count(); }' \
	-c "erl -noshell -pa . -user slow_user -eval 'io:format(\"held ~b~n\", [slow_user:held()]), [lists:seq(1, 3) || _ <- [1, 2, 3]], timer:sleep(2000), halt().'" >out 2>err
echo "status $?"
sed -e 's/^ *//; s/  */ /g' out | grep -e '^seq 3$' -e '^on$'
held=$(sed -n 's/^held \([0-9]*\)$/\1/p' out)
# it used to wait until it gave up, after 20 s
[ "${held:-99999}" -lt 15000 ] || { echo "held for $held ms" >&2; cat out err >&2; exit 1; }

# a node that this one starts is none of ours: it gets the environment that was there
for flags in '' '-shop "two words"'; do
	ERL_AFLAGS=$flags "$ERLTRACE" -q -n 'erlang*:lists:seq/2:entry { }' \
		-c "erl -noshell -eval 'io:format(\"~p ~p~n\", [os:getenv(\"ERL_AFLAGS\"), init:get_argument(shop)]), halt().'" 2>err
done

from=$(date +%s)
"$ERLTRACE" -q -n 'erlang*:::process-spawn { }' -c 'erl -sname' >/dev/null 2>err
echo "status $?"
[ $(($(date +%s) - from)) -lt 12 ] || echo "a command that had ended was waited for"
