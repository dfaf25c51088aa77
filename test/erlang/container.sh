# For tests against nodes in namespaces; sourced after lib.sh.
#
#   inside FLAGS 'COMMANDS' [erl arguments]   starts a node as `unshare FLAGS` does it, after the commands of a shell
#                                             there, which may set its environment; $INNER is its process.
#                                             $UNSHARE: instead of unshare; $AFTER: last words of the command line
#   into                                      what `-p` says about it: "traced", or the message.
#                                             $LIMIT: a command that ends it if it takes too long
#   own_home                                  an empty home, where no cookie of this machine's user is
#   $UP, $WITH                                commands for `inside`: the network's own device is up; and $EPMD answers. (A VM
#                                             waits only a moment for one that it has started itself.)

[ "$(id -u)" = 0 ] || { echo "needs root" >&2; exit 67; }
unshare -n -m -u -p --fork true 2>/dev/null || { echo "namespaces are not allowed here" >&2; exit 67; }
command -v ip >/dev/null || { echo "ip is not installed (Debian: iproute2)" >&2; exit 67; }
# the node works, so that there is something to trace
WORK='io:format("up~n"), (fun F() -> spawn(lists, seq, [1, 3]), timer:sleep(20), F() end)().'

inside() {
	inside_flags=$1
	printf '%s\n' 'set -e' "$2" 'exec "$ERL_THERE" "$@"' >enter
	shift 2
	: >inside.log
	ERL_THERE=$(command -v "${ERL:-erl}") ${UNSHARE:-unshare} $inside_flags --fork --kill-child sh enter -noinput -kernel logger_level none +S 2 "$@" \
		-eval "$WORK" $AFTER >inside.log 2>&1 &
	NODES="$NODES $!"
	inside_wait=0
	until grep -q '^up' inside.log; do
		sleep 0.05
		inside_wait=$((inside_wait + 1))
		[ $inside_wait -lt 1200 ] && kill -0 $! 2>/dev/null || { echo "the node did not start: $(cat inside.log)" >&2; exit 1; }
	done
	INNER=$(cat /proc/$!/task/$!/children)
	INNER=${INNER% }
}

# (Notes of other processes of the machine whose files cannot be read are not about it.)
into() {
	$LIMIT "$ERLTRACE" -q -p "$INNER" -x switchrate=20ms "$@" \
		-n 'erlang$target:::process-spawn /copyinstr(arg1) == "lists:seq/2"/ { printf("traced\n"); exit(0); } tick-30s { exit(9); }' 2>&1 |
		sed -e '/^$/d' -e '/^erltrace: left out .* of process/d' -e "s/process $INNER\\>/process N/g; s/\\(node [a-z]*\\)[0-9]*@[^, :]*/\\1@HOST/g" \
			-e "s/, .erlang.cookie in its user's home//; s/; its VM was built without USDT probes//; s/, and its USDT probes.*//"
	left=0
	while grep -q erltrace_tracer "/proc/$INNER/maps" && [ $left -lt 100 ] && ! grep -q -e ld-musl -e musl/libc.so "/proc/$INNER/maps"; do
		sleep 0.1
		left=$((left + 1))
	done
	[ $left -lt 100 ] || echo 'the library is left'
}

own_home() {
	mkdir home && HOME=$PWD/home && export HOME
}

EPMD=$(dirname "$(readlink -f "$(command -v "${ERL:-erl}")")")/epmd
[ -x "$EPMD" ] || EPMD=$(command -v epmd) || { echo 'no epmd here' >&2; exit 67; }
UP='ip link set lo up'
WITH="$UP; $EPMD -daemon -relaxed_command_check; until $EPMD -names >/dev/null 2>&1; do sleep 0.05; done"
