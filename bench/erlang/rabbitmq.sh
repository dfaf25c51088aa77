# rabbitmq.sh BUILD [ROUNDS [MESSAGES]]: what tracing costs a real system. The distribution's RabbitMQ, on loopback,
# under load from an AMQP client that publishes and consumes: untraced, with ready scripts, with a function's latency,
# with a count of all of its own functions, and with dbg doing the same. The ways take turns; medians and quartiles of
# the turns.
#
# The processor time of the broker for one message is what counts: other programs on the machine hardly change it. The
# messages in a second are there too; they are what the machine had to give in that moment.
#
# WAYS: some ways instead of all. A ready script with a number behind it, message-latency/16, traces one process of so
# many (-x sample); function-counts/20 counts in one part of twenty of the time (-x countpart); metrics/gc is a script of
# erltrace export. KEEP: a folder for what the scripts print. CONNECTIONS: of the client, each with a queue of its own; 1 if
# unset. SHARES: then the scripts of erltrace export that have a share, all at once, for so many seconds of load: for which
# part of the time each ran, and what the guard measured.
build=$(cd "$1" && pwd) || exit
rounds=${2:-5}
messages=${3:-50000}
connections=${CONNECTIONS:-1}
top=$(cd "$(dirname "$0")/../.." && pwd)
server=/usr/lib/rabbitmq/bin/rabbitmq-server
plugins=$(echo /usr/lib/rabbitmq/lib/rabbitmq_server-*/plugins)
[ -x "$server" ] && [ -d "$plugins" ] || { echo 'rabbitmq-server is not installed'; exit 0; }
erl_call=$(command -v erl_call ||
	ls /usr/lib/erlang/lib/erl_interface-*/bin/erl_call /usr/lib/erlang/erts-*/bin/erl_call 2>/dev/null | head -1)
scratch=$(mktemp -d)
cd "$scratch" || exit

name=rabbit$$
cookie=cookie$$
port=$((10000 + $$ % 10000))
HOME=$PWD
export HOME
printf %s "$cookie" >.erlang.cookie
chmod 400 .erlang.cookie
mkdir mnesia log
printf 'loopback_users = none\nlog.console = false\n' >rabbit.conf
echo '[].' >enabled_plugins
# schedulers that wait for work must not look busy
export RABBITMQ_NODENAME="$name@localhost" RABBITMQ_NODE_IP_ADDRESS=127.0.0.1 RABBITMQ_NODE_PORT=$port \
	RABBITMQ_DIST_PORT=$((port + 10000)) RABBITMQ_MNESIA_BASE="$PWD/mnesia" RABBITMQ_LOG_BASE="$PWD/log" \
	RABBITMQ_CONFIG_FILE="$PWD/rabbit" RABBITMQ_ENABLED_PLUGINS_FILE="$PWD/enabled_plugins" \
	RABBITMQ_CONF_ENV_FILE=/dev/null RABBITMQ_PID_FILE="$PWD/pid" RABBITMQ_GENERATED_CONFIG_DIR="$PWD/config" \
	RABBITMQ_FEATURE_FLAGS_FILE="$PWD/mnesia/feature_flags" \
	RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS='+S 2:2 +sbwt none +sbwtdcpu none +sbwtdio none'
# What dbg's tracer has not read yet can fill a machine's memory.
(ulimit -v 8000000 && exec setsid "$server") >server.log 2>&1 &
server_pid=$!
trace_pid=
finish() {
	[ -z "$trace_pid" ] || kill -TERM "$trace_pid" 2>/dev/null
	kill -TERM -"$server_pid" 2>/dev/null
	i=0
	while kill -0 -"$server_pid" 2>/dev/null && [ $i -lt 50 ]; do
		sleep 0.1
		i=$((i + 1))
	done
	kill -9 -"$server_pid" 2>/dev/null
	rm -rf "$scratch"
}
trap finish EXIT
trap 'exit 1' INT TERM HUP
fail() {
	echo "$*" >&2
	for f in trace.err load.log server.log; do
		[ -s $f ] && { echo "-- $f" >&2; tail -n 15 $f >&2; }
	done
	exit 1
}
ask() { # ask 'Expression.': evaluated on the broker
	echo "$1" | "$erl_call" -name "$name@localhost" -c "$cookie" -e 2>&1
}
i=0
until ask 'rabbit:is_running().' 2>/dev/null | grep -q 'ok, true'; do
	i=$((i + 1))
	[ $i -le 240 ] || fail 'the broker does not start'
	kill -0 "$server_pid" 2>/dev/null || fail 'the broker has ended'
	sleep 0.5
done
beam=$(ask 'os:getpid().' | tr -dc 0-9)
ask "code:add_patha(\"$build/bench/erlang\"), {module, bench_dbg} = code:ensure_loaded(bench_dbg), ok." |
	grep -q 'ok, ok' || fail 'no bench_dbg'
# From RabbitMQ 3.13 on it has one more argument.
route=2
ask 'erlang:function_exported(rabbit_exchange, route, 3).' | grep -q 'ok, true' && route=3

load() {
	ERL_LIBS=$plugins erl +sbwt none -noinput -pa "$build/test/erlang" \
		-run amqp_load main 127.0.0.1 "$port" "$1" "$connections" >load.log 2>&1
	grep -q "^got $1$" load.log || fail 'the client did not get what it sent'
}
cpu() { # ns of all threads
	cat /proc/$beam/task/*/schedstat | awk '{ ns += $1 } END { printf "%.0f", ns }'
}
trace_on() { # trace_on ARGUMENTS…
	: >trace.out
	"$build/erltrace" -N "$name@localhost" --cookie "$cookie" -x maxoverhead=1000 -q "$@" \
		-n 'tick-100ms { printf("tracing\n"); }' >trace.out 2>trace.err &
	trace_pid=$!
	i=0
	until grep -q '^tracing' trace.out; do
		i=$((i + 1))
		kill -0 $trace_pid 2>/dev/null && [ $i -lt 600 ] || fail 'the script does not start'
		sleep 0.1
	done
}
ready() { # ready SCRIPT[/SAMPLE], or function-counts[/COUNTPART]
	case $1 in
	metrics/*) trace_on -s "$top/scripts/$1.d" ;;
	function-counts/*) trace_on -x countpart="${1#*/}" -s "$top/scripts/${1%/*}.d" ;;
	*/*) trace_on -x sample="${1#*/}" -s "$top/scripts/${1%/*}.d" ;;
	*) trace_on -s "$top/scripts/$1.d" ;;
	esac
}
dbg() {
	ask "bench_dbg:start($1)." >dbg.out
	grep -q 'ok, ok' dbg.out || fail "dbg: $1: $(cat dbg.out)"
}
begin() {
	case $1 in
	untraced*) ;;
	function)
		f="erlang*:rabbit_exchange:route/$route"
		trace_on -n "$f:entry { self->t = timestamp; }
			$f:return /self->t/ { @ = quantize(timestamp - self->t); self->t = 0; }"
		;;
	count-all) trace_on -n 'erlang*:rabbit*:*:entry { @[probemod, probefunc] = count(); }' ;;
	dbg-message-latency) dbg messages ;;
	dbg-garbage-collection) dbg collections ;;
	dbg-server-latency) dbg servers ;;
	dbg-function) dbg "{function, rabbit_exchange, route, $route}" ;;
	dbg-count-all) dbg '{modules, "rabbit"}' ;;
	*) ready "$1" ;;
	esac
}
end() {
	case $1 in
	untraced*) ;;
	dbg-*)
		ask 'bench_dbg:stop().' >dbg.out
		grep -q 'ok, ok' dbg.out || fail "dbg does not stop: $(cat dbg.out)"
		;;
	*)
		kill -TERM $trace_pid
		wait $trace_pid
		[ -z "$KEEP" ] || cp trace.out "$KEEP/$(echo "$way" | tr / -).$round"
		trace_pid=
		until ask 'code:is_loaded(erltrace_tracer).' | grep -q 'ok, false'; do sleep 0.1; done
		;;
	esac
}
ways=${WAYS:-"untraced untraced-few message-latency server-latency garbage-collection function process-scheduling messages
	spawns count-all dbg-message-latency dbg-server-latency dbg-garbage-collection dbg-function dbg-count-all"}
all=$messages
load 2000
round=0
while [ $round -lt "$rounds" ]; do
	round=$((round + 1))
	for way in $ways; do
		case $way in
		*count-all | *-few | dbg-*) messages=$((all / 10)) ;;
		*) messages=$all ;;
		esac
		begin "$way"
		from=$(cpu)
		began=$(date +%s%N)
		load "$messages"
		ns=$(($(date +%s%N) - began))
		# what queued up for dbg is work, too
		case $way in
		dbg-*)
			ask "Long = fun() -> [P || P <- processes(), {_, N} <- [process_info(P, message_queue_len)], N > 100] end,
				Wait = fun Wait() -> case Long() of [] -> ok; _ -> timer:sleep(50), Wait() end end,
				Wait()." >/dev/null
			;;
		esac
		to=$(cpu)
		end "$way"
		echo "$way $(((to - from) / messages)) $((messages * 1000000000 / ns))" >>rows
	done
	echo "round $round of $rounds: $(cut -d' ' -f1-3 /proc/loadavg)" >&2
done

# Medians and quartiles of the processor time for a message, and how much more than untraced in the same round.
echo "$all messages a turn (a tenth of that with all functions, with dbg, and in untraced-few, which they are compared" \
	"with), $rounds turns of each; us of the broker's processor time for one message"
for way in $ways; do
	case $way in
	*count-all | dbg-*) base_way=untraced-few ;;
	*) base_way=untraced ;;
	esac
	awk -v way="$way" -v base_way="$base_way" '
	$1 == base_way { base = $2 }
	$1 == way { print $2, 100 * ($2 - base) / base, $3 }' rows | sort -n >one
	awk -v way="$way" '
	function at(list, q) { return list[1 + int((NR - 1) * q)] }
	{ us[NR] = $1; rate[NR] = $3; more[NR] = $2 }
	function order(list, i, j, t) {
		for (i = 2; i <= NR; i++)
			for (j = i; j > 1 && list[j - 1] > list[j]; j--) {
				t = list[j]; list[j] = list[j - 1]; list[j - 1] = t
			}
	}
	END {
		order(us); order(rate); order(more)
		printf "%-24s %7.2f (%.2f to %.2f)", way, at(us, .5) / 1000, at(us, .25) / 1000, at(us, .75) / 1000
		printf "  %+6.1f %% (%+.1f to %+.1f)", at(more, .5), at(more, .25), at(more, .75)
		printf "  %6d messages/s\n", at(rate, .5)
	}' one
	[ -z "$BENCH_JSON" ] || awk -v way="$way" '
	{ us[NR] = $1 }
	END {
		printf "{\"bench\":\"rabbitmq\",\"what\":\"%s\",", way
		printf "\"value\":%.2f,\"unit\":\"us\"}\n", us[1 + int((NR - 1) / 2)] / 1000
	}' one >>"$BENCH_JSON"
done

[ -n "$SHARES" ] || exit 0
{
	printf 'listen 127.0.0.1:0\nnode %s\n' "$name@localhost"
	grep -l '@share' "$top"/scripts/metrics/*.d | sed 's|.*/\(.*\)\.d$|script \1|'
} >export.conf
ERLTRACE_COOKIE=$cookie "$build/erltrace" export export.conf >export.out 2>export.err &
trace_pid=$!
until grep -q '/metrics$' export.out; do
	kill -0 $trace_pid 2>/dev/null || fail "erltrace export: $(cat export.err)"
	sleep 0.1
done
began=$(date +%s)
until [ $(($(date +%s) - began)) -ge "$SHARES" ]; do load "$all"; done
curl -sS "$(sed -n 's/^erltrace export: //p' export.out)" >metrics.txt || fail 'no metrics'
echo "erltrace export, $(($(date +%s) - began)) s under load: percent of the time that a script ran, of a scheduler that it took"
awk -v all=$(($(date +%s) - began)) -F '[{}"]' '
	/^erltrace_running_seconds_total/ { ran[$3] = $NF }
	/^erltrace_overhead_seconds_total/ { took[$3] = $NF }
	/^erltrace_attaches_total/ { began[$3] = $NF }
	END {
		for (s in ran)
			printf "%-12s ran %5.1f %%, took %.2f %% (%.2f %% while it ran), began %d times\n",
				s, 100 * ran[s] / all, 100 * took[s] / all, 100 * took[s] / ran[s], began[s]
	}' metrics.txt | sort
kill -TERM $trace_pid
wait $trace_pid
trace_pid=
