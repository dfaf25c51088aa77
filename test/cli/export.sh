# For tests of `erltrace export`; sourced by .sh files here and in ../erlang.
#
#   export_start [CONFIGURATION]   starts the service (./export.conf); returns when it listens; $EXPORT_PID, $EXPORT_PORT
#   fetch PATH [ACCEPT]            what it answers, without the headers; those are in ./headers
#   value 'METRIC{LABELS}'         the value of that line, or nothing
#   wait_value 'METRIC{LABELS}' N [S]  until it has that value, at most S seconds: a minute
#   wait_least 'METRIC{LABELS}' N [S]  until it is at least N
#   wait_said TEXT                 until a line on the service's standard error (./export.err) has the text; two minutes
#   export_stop                    ends it by SIGTERM and prints its exit status
# The service is ended when the test ends, however it ends: call export_end in a trap.
"$ERLTRACE" export --help >/dev/null 2>&1 || { echo 'built without libwebsockets' >&2; exit 67; }
command -v bash >/dev/null || { echo 'bash is not installed' >&2; exit 67; }
EXPORT_PID=

export_start() {
	: >export.out
	ERLTRACE_COOKIE=$COOKIE env --default-signal "$ERLTRACE" export "${1:-export.conf}" >export.out 2>export.err &
	EXPORT_PID=$!
	export_wait=0
	until grep -q '/metrics$' export.out; do
		kill -0 $EXPORT_PID 2>/dev/null && [ $export_wait -lt 1200 ] || { echo "it does not start: $(cat export.err)"; return 1; }
		export_wait=$((export_wait + 1))
		sleep 0.05
	done
	EXPORT_PORT=$(sed -n 's|.*:\([0-9]*\)/metrics$|\1|p' export.out)
}

fetch() {
	timeout 60 bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$1" || exit
		printf "GET %s HTTP/1.1\r\nHost: test\r\nAccept: %s\r\nConnection: close\r\n\r\n" "$2" "$3" >&3
		cat <&3' - "$EXPORT_PORT" "$1" "${2:-*/*}" | tr -d '\r' >answer
	sed '/^$/,$d' answer >headers
	sed '1,/^$/d' answer
}

value() {
	fetch /metrics | awk -v want="$1" 'substr($0, 1, length(want) + 1) == want " " { print $NF }'
}

wait_value() {
	export_until=$(($(date +%s) + ${3:-60}))
	until [ "$(value "$1")" = "$2" ]; do
		[ "$(date +%s)" -lt $export_until ] || { echo "$1 is $(value "$1") instead of $2"; return 1; }
		sleep 0.2
	done
}

wait_least() {
	export_until=$(($(date +%s) + ${3:-60}))
	until export_value=$(value "$1") && [ "${export_value:-0}" -ge "$2" ]; do
		[ "$(date +%s)" -lt $export_until ] || { echo "$1 is $export_value instead of $2 or more"; return 1; }
		sleep 0.2
	done
}

wait_said() {
	export_until=$(($(date +%s) + 120))
	until grep -qF -e "$1" export.err; do
		[ "$(date +%s)" -lt $export_until ] || { echo "it does not say: $1"; cat export.err; return 1; }
		sleep 0.1
	done
}

export_stop() {
	kill -TERM $EXPORT_PID
	wait $EXPORT_PID
	echo "ended with $?"
	EXPORT_PID=
}

export_end() {
	[ -z "$EXPORT_PID" ] || kill -9 "$EXPORT_PID" 2>/dev/null
}
