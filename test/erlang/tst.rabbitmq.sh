# A real system: the distribution's RabbitMQ, on loopback with its own folders, ports, name and cookie, under load from
# an AMQP client over TCP. Three scripts trace it. No message is lost, nothing is left switched on, and RabbitMQ ends
# normally.
# @@timeout: 480
# @@alone
command -v erl >/dev/null || { echo 'erl is not installed' >&2; exit 67; }
[ -d "$BUILD/otp/erltrace/ebin" ] || { echo 'built without the Erlang part' >&2; exit 67; }
server=/usr/lib/rabbitmq/bin/rabbitmq-server
plugins=$(echo /usr/lib/rabbitmq/lib/rabbitmq_server-*/plugins)
[ -x "$server" ] && [ -d "$plugins" ] || { echo 'rabbitmq-server is not installed' >&2; exit 67; }

name=rabbit$$
cookie=cookie$$
# below those that the kernel gives to connections (32768 on)
port=$((10000 + $$ % 10000))
HOME=$PWD
export HOME
printf %s "$cookie" >.erlang.cookie
chmod 400 .erlang.cookie
mkdir mnesia log
printf 'loopback_users = none\nlog.console = false\n' >rabbit.conf
echo '[].' >enabled_plugins
export RABBITMQ_NODENAME="$name@localhost" RABBITMQ_NODE_IP_ADDRESS=127.0.0.1 RABBITMQ_NODE_PORT=$port \
	RABBITMQ_DIST_PORT=$((port + 10000)) RABBITMQ_MNESIA_BASE="$PWD/mnesia" RABBITMQ_LOG_BASE="$PWD/log" \
	RABBITMQ_CONFIG_FILE="$PWD/rabbit" RABBITMQ_ENABLED_PLUGINS_FILE="$PWD/enabled_plugins" \
	RABBITMQ_CONF_ENV_FILE=/dev/null RABBITMQ_PID_FILE="$PWD/pid" RABBITMQ_GENERATED_CONFIG_DIR="$PWD/config" \
	RABBITMQ_FEATURE_FLAGS_FILE="$PWD/mnesia/feature_flags" RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS='+S 2:2'
setsid "$server" >server.log 2>&1 &
server_pid=$!

finish() {
	: >enough
	kill -TERM -"$server_pid" 2>/dev/null
	i=0
	while kill -0 -"$server_pid" 2>/dev/null && [ $i -lt 50 ]; do
		sleep 0.1
		i=$((i + 1))
	done
	kill -9 -"$server_pid" 2>/dev/null
}
trap finish EXIT
fail() {
	echo "$*" >&2
	for f in out err load.log server.log; do
		[ -s $f ] && { echo "-- $f" >&2; tail -n 25 $f >&2; }
	done
	exit 1
}

ask() { # ask 'Expression.': evaluated on the broker, which may be too busy to answer a call in time
	for ask_try in 1 2 3 4 5 6 7 8 9 10; do
		asked=$(echo "$1" | erl_call -name "$name@localhost" -c "$cookie" -e 2>&1)
		case $asked in
		*'failed to connect'*) kill -0 "$server_pid" 2>/dev/null || break ;;
		*) break ;;
		esac
		sleep 0.5
	done
	printf '%s\n' "$asked"
}
i=0
until ask 'rabbit:is_running().' 2>/dev/null | grep -q 'ok, true'; do
	i=$((i + 1))
	[ $i -le 900 ] || fail 'the broker does not start'
	kill -0 "$server_pid" 2>/dev/null || fail 'the broker has ended'
	sleep 0.5
done

load() { # load MESSAGES: publishes and consumes so many, and says "got MESSAGES"
	ERL_LIBS=$plugins erl -noinput -pa "$BUILD/test/erlang" -run amqp_load main 127.0.0.1 "$port" "$1" >load.log 2>&1
	grep -q "^got $1$" load.log || fail 'the client did not get what it sent'
}
load 10
# The broker gives itself its name, and its cookie is in the home of its user: -p finds both.
if [ "$(id -u)" = 0 ]; then
	HOME=/nowhere "$ERLTRACE" -q -p "$server_pid" -n 'erlang$target:::process-scheduled { exit(0); } BEGIN { printf("node %s\n", node); }' >out 2>err || fail 'not with -p'
	grep -q "^node $name@localhost$" out || fail 'another node with -p'
fi

trace() { # trace ARGUMENTS…: with the client at work meanwhile
	"$ERLTRACE" -N "$name@localhost" --cookie "$cookie" "$@" >out 2>err &
	trace_pid=$!
	sleep 2
	kill -0 $trace_pid 2>/dev/null || fail 'the command has ended'
	load 2000
	sleep 0.5
	kill -TERM $trace_pid
	wait $trace_pid || fail 'the command failed'
	[ -s out ] || fail 'nothing was seen'
}
scripts=$srcdir/../../scripts

# Who gets born: one process for each connection and channel at the least.
trace -qs "$scripts/spawns.d"
grep -Eq 'proc_lib:init_p/[0-9]|rabbit' out || fail 'no process of a connection'

# One function of the broker: every message is published once. From RabbitMQ 3.13 on it has one more argument.
route=2
ask 'erlang:function_exported(rabbit_exchange, route, 3).' | grep -q 'ok, true' && route=3
trace -qn "erlang*:rabbit_exchange:route/$route:entry { @[\"published\"] = count(); }"
grep -Eq '^ +published +2000$' out || fail 'not 2000 messages published'

trace -x maxoverhead=0 function-counts 0 rabbit_exchange
grep -Eq "^rabbit_exchange +route/$route +2000$" out || fail 'not 2000 calls'

# How long until receivers run.
trace -qs "$scripts/message-latency.d"
grep -Eq '^ +[0-9]+ \|@' out || fail 'no latency'

# As an operator would: which nodes, a script by name, calls of a function, what it does. The client comes and goes meanwhile, so each is tried until it
# has seen it at work.
"$ERLTRACE" -N >out
grep -Eq "^$name(@localhost)? +[0-9]+ " out || fail 'the broker is not listed with its process'
(
	while [ ! -e enough ] && kill -0 $$ 2>/dev/null; do
		ERL_LIBS=$plugins erl -noinput -pa "$BUILD/test/erlang" -run amqp_load main 127.0.0.1 "$port" 20000 >again.log 2>&1
	done
) &
again_pid=$!
seconds=4
try() { # try 'REGEX' ARGUMENTS…: until a line of what it prints matches
	regex=$1
	shift
	i=0
	while :; do
		until ask 'code:is_loaded(erltrace_tracer).' | grep -q 'ok, false'; do sleep 0.1; done # the one before has left
		"$ERLTRACE" -N "$name@localhost" --cookie "$cookie" --for "${seconds}s" "$@" >out 2>err || fail "the command failed: $*"
		grep -Eq -e "$regex" out && return
		i=$((i + 1))
		[ $i -lt 12 ] || fail "not seen: $regex, of $*"
	done
}
try '^ +<0\.[0-9]+\.0>.* [0-9]{3,}$' messages
try 'rabbit_exchange:route/[0-9] -> \[.*us\)$' --count 20 rabbit_exchange:route
[ "$(wc -l <out)" -le 20 ] && grep -q 'rabbit_exchange:route(.*exchange' out || fail 'not the calls'
# with the name of a busy process: it is asked for once the process is in the table
try '^<0\.[0-9]+\.0> [^ ]*rabbit.* [0-9]{3,} ' --interval 500ms top
try '^[a-z_0-9]+:.*/[0-9]+ +[0-9.]+' --interval 500ms top --by function
try '^ +[0-9.]+k? \|.*[.:=+*#%@-]' --heatmap --interval 200ms message-latency
# all functions, as many as such a system has
try '^[a-z_0-9]+ +[^ ]+/[0-9]+ +[0-9]{4,}$' -x maxoverhead=0 function-counts
[ "$(wc -l <out)" -ge 40 ] || fail 'not the functions that are called most'
try '^ +deliver/[0-9] ' -qn 'rabbit_queue_type:*:entry { @[probefunc] = count(); }'
# who a pid is, whose queue is long, who waits for which server (most of the broker's are of gen_server2), and any script as a table with rates
seconds=2
try '^ +<0\.[0-9]+\.0> [^ ]*rabbit_.* [0-9]+$' -qn 'erlang*:::message-queued { @[copyinstr(arg0)] = count(); }'
ask 'register(slow_consumer, spawn(fun() -> receive stop -> ok end end)), [slow_consumer ! x || _ <- lists:seq(1, 500)], ok.' | grep -q ok || fail 'no slow process'
try '^ +(<0\.[0-9]+\.0> )?slow_consumer +500$' mailboxes
ask 'slow_consumer ! stop.' >/dev/null
try '^ +(<0\.[0-9]+\.0> )?[^ ]*rabbit_.* [0-9]+ +[0-9]+ +[0-9]+$' server-latency
# … and which way a request takes through them
try '^ +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ +<0\.[0-9]+\.0> [^ ]*rabbit_.* -> ' request-path
try '^proc_lib:init_p/[0-9] +[0-9.]+ +[0-9]+$' --interval 500ms --top spawns
: >enough
wait $again_pid

# All functions at once would slow it down to a fraction: the guard ends that, with the options that everybody has.
"$ERLTRACE" -N "$name@localhost" --cookie "$cookie" -qn 'erlang*:::function-entry { @ = count(); }' >out 2>err &
trace_pid=$!
i=0
while kill -0 $trace_pid 2>/dev/null; do
	i=$((i + 1))
	[ $i -le 5 ] || fail 'all functions are traced for ever'
	load 20000
done
wait $trace_pid
[ $? -eq 1 ] || fail 'the command did not say that it was cut short'
grep -q 'more than maxoverhead allows (25%), and was ended. What cost most: erlang[0-9]*:::function-entry of .*To trace less, name the functions' err ||
	fail 'it does not say what cost most'

load 2000
ask 'erlang:trace_info(new, flags).' | grep -q '{ok, {flags, *\[\]}}' || fail 'flags are left'
# from OTP 27 on they are in sessions, one for events, one for the VM's counters, and for a moment one that finds out how deep stacks are
ask '[S || erlang:system_info(otp_release) >= "27", {Name, _} = S <- apply(trace, session_info, [all]), lists:member(Name, [erltrace, erltrace_counters, erltrace_levels])].' | grep -q '{ok, *\[\]}' || fail 'a trace session is left'
running=$(ask 'rabbit:is_running().')
echo "$running" | grep -q 'ok, true' || fail "the broker is not running: $running"
ls mnesia/*crash* log/*crash* 2>/dev/null && fail 'a crash log'
grep -rq 'crasher\|CRASH' log && fail 'the log tells of a crash'
exit 0
