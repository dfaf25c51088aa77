# Alerts with thousands of keys, a webhook that never answers and a command that cannot write because the disk is full:
# 1,000 alerts are kept and the others counted, what fails is said once and tried again, a command that works is told all
# the same, neither memory nor open files grow, and SIGTERM ends it at once.
# @@timeout: 120
. "$srcdir/export.sh"
hang_pid=
trap 'export_end; [ -z "$hang_pid" ] || kill "$hang_pid" 2>/dev/null' EXIT
command -v python3 >/dev/null || { echo 'python3 is not installed' >&2; exit 67; }
# accepts connections and says nothing
python3 -c '
import socket, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(64)
print(s.getsockname()[1], flush=True)
kept = []
while True: kept.append(s.accept())' >port &
hang_pid=$!
wait=0
until [ -s port ]; do
	wait=$((wait + 1))
	[ $wait -lt 600 ] || exit 1
	sleep 0.1
done
cat >many.d <<'D'
alert count(@n) > 0 over 60s "[info count] %d: %@d";
int n;
tick-1ms { n++; @n[n % 3000] = count(); alert("[error k%d] again", n % 3000); }
D
: >told.txt
cat >export.conf <<C
listen 127.0.0.1:0
interval 100ms
rows 10
alert-webhook http://127.0.0.1:$(cat port)/
alert-command sh -c "cat >/dev/full"
alert-command sh -c "tr , '\\\\n' | grep -c firing >>told.txt"
script many.d
  option bufsize=8m
C
export_start || exit
wait_value erltrace_alerts_active 1000
wait_least erltrace_alerts_dropped_total 1000
wait_least 'erltrace_alert_messages_total{to="2: sh",result="failed"}' 1
wait_said 'alerts could not be told: sh ended with status'
wait=0
until [ "$(awk '{ n += $1 } END { print n + 0 }' told.txt)" -ge 1000 ]; do
	wait=$((wait + 1))
	[ $wait -lt 600 ] || { echo "told $(cat told.txt)"; break; }
	sleep 0.1
done
value erltrace_alerts_active
fetch /metrics | grep '^erltrace_alert_messages_total' | sed 's/ .*result/ result/; s/} .*/}/' | sort | uniq -d
grep -c 'alerts could not be told: sh ended' export.err
files() {
	ls "/proc/$EXPORT_PID/fd" | wc -l
}
open=$(files)
before=$(awk '/VmRSS/ { print $2 }' "/proc/$EXPORT_PID/status")
dropped=$(value erltrace_alerts_dropped_total)
wait_least erltrace_alerts_dropped_total $((dropped + 3000))
after=$(awk '/VmRSS/ { print $2 }' "/proc/$EXPORT_PID/status")
# A message to the webhook is given up after ten seconds, and no connection stays of it.
wait_least "erltrace_alert_messages_total{to=\"1: 127.0.0.1:$(cat port)\",result=\"failed\"}" 1
wait_said 'did not answer within 10 s; trying again'
wait=0
until [ "$(files)" -le $((open + 1)) ] || [ $wait -ge 300 ]; do
	wait=$((wait + 1))
	sleep 0.1
done
[ "$(files)" -le $((open + 1)) ] && echo 'open files stay' || echo "open files: $open, then $(files)"
[ "$after" -lt $((before + 30000)) ] && echo 'memory stays' || echo "memory: $before kB, then $after"
export_stop
