# erltrace export when much is wrong at once: a node that lies, one with another version of erltrace, one with another
# cookie, one that does not answer at all, a log on a full disk, and nobody who scrapes. The service lives, the node that
# is well is counted exactly, each trouble can be seen in its metrics, and nothing grows, however many keys there are.
# @@timeout: 120
. "$srcdir/lib.sh"
. "$srcdir/../cli/export.sh"
trap 'export_end; node_end' EXIT
[ -c /dev/full ] || { echo 'there is no /dev/full' >&2; exit 67; }

# -- the node that lies, case after case
protocol=$(sed -n 's/.*NODE_PROTOCOL = \([0-9]*\).*/\1/p' "$srcdir/../../src/node/protocol.h")
LIAR=erltrace-liar-$$
epmd -daemon
until epmd -names >/dev/null 2>&1; do sleep 0.05; done
liar() { # liar NAME
	: >liar.log
	escript "$srcdir/hostile.escript" "$1" "$COOKIE" "$protocol" >liar.log 2>&1 &
	NODES="$NODES $!"
}
until_ready() {
	wait=0
	until grep -q '^ready' liar.log || [ $wait -gt 1200 ]; do
		sleep 0.05
		wait=$((wait + 1))
	done
}
liar "$LIAR"
# -- another version
mkdir fake
for m in tracer session patterns sources flags sampler hub; do
	printf -- '-module(erltrace_%s).\n' $m >fake/erltrace_$m.erl
done
printf -- '-module(erltrace_agent).\n-export([info/0]).\ninfo() -> #{os_pid => 1, otp_release => <<"25">>, protocol => 99}.\n' >fake/erltrace_agent.erl
erlc -o fake fake/*.erl || exit 1
node_start -pa "$PWD/fake"
OTHER=$NODE
# -- another cookie; one that is stopped
OURS=$COOKIE COOKIE=another
node_start
STRANGER=$NODE COOKIE=$OURS
node_start
STOPPED=$NODE
freeze "$NODE_PID"
node_start
until_ready

cat >keys.d <<'D'
/* @metric @n test_keys_total by key: Calls by key.
 * @metric @all test_all_total: Calls. */
erlang*:lists:duplicate/2:entry { @n[(int)args[0]] = count(); @all = count(); }
D
cat >export.conf <<C
listen 127.0.0.1:0
interval 100ms
rows 100
node $LIAR
node $OTHER
node $STRANGER
node $STOPPED
node $NODE
script keys.d
C
: >export.out
ERLTRACE_COOKIE=$COOKIE env --default-signal "$ERLTRACE" export export.conf >export.out 2>/dev/full &
EXPORT_PID=$!
wait=0
until grep -q '/metrics$' export.out || [ $wait -gt 1200 ]; do
	sleep 0.05
	wait=$((wait + 1))
done
EXPORT_PORT=$(sed -n 's|.*:\([0-9]*\)/metrics$|\1|p' export.out)
wait_value "erltrace_attached{script=\"keys.d\",node=\"$NODE\"}" 1
memory() {
	sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$EXPORT_PID/status"
}
node_eval '[lists:duplicate(N, x) || N <- lists:seq(1, 500)], ok.'
wait_value "test_all_total{node=\"$NODE\"}" 500
for n in $LIAR $OTHER $STRANGER; do
	wait_least "erltrace_attach_failures_total{script=\"keys.d\",node=\"$n\"}" 2
done
before=$(memory)
# nobody looks: seven times as many calls
node_eval '[lists:duplicate(N, x) || N <- lists:seq(1001, 1500), _ <- [a, b, c, d]], [lists:duplicate(N, x) || N <- lists:seq(2001, 3000)], ok.'
sleep 3
wait_value "test_all_total{node=\"$NODE\"}" 3500
after=$(memory)
[ $((after - before)) -lt 8192 ] && echo 'it has not grown' || echo "memory: $before KiB, then $after KiB"
fetch /metrics >all
grep -c '^test_keys_total' all
awk '/^test_keys_total/ { n += $NF } END { print n }' all
for n in $LIAR $OTHER $STRANGER $STOPPED; do
	grep "^erltrace_attached{script=\"keys.d\",node=\"$n\"}" all | sed "s/.*} //"
done
export_stop
# -- what it says
LIAR=erltrace-liar-again-$$
liar "$LIAR"
until_ready
cat >export.conf <<C
listen 127.0.0.1:0
node $LIAR
node $OTHER
node $STRANGER
node $NODE
script keys.d
C
export_start || exit
wait_said "keys.d on $LIAR: node $LIAR@"
wait_said "keys.d on $OTHER: "
wait_said "keys.d on $STRANGER: "
wait_said "keys.d on $NODE: attached"
for n in $OTHER $STRANGER; do
	wait_least "erltrace_attach_failures_total{script=\"keys.d\",node=\"$n\"}" 2
done
grep -o "keys.d on $LIAR: node $LIAR@[^ ]* sent what no node sends" export.err | sed 's/ on .*@[^ ]*//' | uniq
grep -o "keys.d on $OTHER: node $OTHER@[^ ]* has another version of erltrace (protocol 99;" export.err | sed 's/ on .*@[^ ]*//'
grep -o "keys.d on $STRANGER: node $STRANGER@.* refused the connection: the cookie .* is not its cookie" export.err | sed 's/ on .*@.* refused/ refused/'
export_stop
clean_node
