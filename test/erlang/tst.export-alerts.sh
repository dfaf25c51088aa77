# alert() in erltrace export: a webhook, a command and a real Alertmanager are told once for each key, however often it
# happens, and again when it is over. A webhook that hangs delays none of them, and SIGTERM does not wait for it.
# The first message shows what the minute before looked like: that of the script's distribution.
# Alertmanager groups the alerts and tells its own receiver when they fire and when they are resolved.
# @@timeout: 180
. "$srcdir/lib.sh"
. "$srcdir/../cli/export.sh"
manager=
finish() {
	[ -z "$manager" ] || kill -9 $manager 2>/dev/null
	export_end
	node_end
}
trap finish EXIT
node_start -pa "$BUILD/test/erlang"
hook=$(node_eval "hook:start(\"$PWD/hook.txt\").")
amhook=$(node_eval "hook:start(\"$PWD/amhook.txt\").")
hang=$(node_eval 'hook:hang().')
: >hook.txt >amhook.txt
: >command.txt

# until 'pattern' FILE: at most a minute
until_in() {
	wait=0
	until grep -q "$1" "$2"; do
		wait=$((wait + 1))
		[ $wait -lt 600 ] || { echo "$2 has no $1"; return 1; }
		sleep 0.1
	done
}
# has it been installed? Then on a port that is free
if command -v prometheus-alertmanager >/dev/null; then
	cat >am.yml <<Y
route: {receiver: hook, group_by: [alertname], group_wait: 1s, group_interval: 1s, repeat_interval: 1h}
receivers: [{name: hook, webhook_configs: [{url: "http://127.0.0.1:$amhook/", send_resolved: true}]}]
Y
	try=0
	while [ $try -lt 5 ]; do
		port=$((20000 + ($$ + 333 + try * 777) % 20000))
		prometheus-alertmanager --config.file=am.yml --storage.path=am --web.listen-address=127.0.0.1:$port --cluster.listen-address= >am.log 2>&1 &
		manager=$!
		wait=0
		until grep -q 'Listening on\|msg=Listening' am.log || ! kill -0 $manager 2>/dev/null || [ $wait -gt 600 ]; do
			wait=$((wait + 1))
			sleep 0.1
		done
		kill -0 $manager 2>/dev/null && break
		try=$((try + 1))
	done
	am="alert-webhook http://127.0.0.1:$port/api/v2/alerts"
fi
cat >seq.d <<'D'
erlang*:lists:seq/2:entry /args[0] < 3/ { alert("[critical from %d] lists:seq goes to %d", args[0], args[1]); }
erlang*:lists:reverse/2:entry /args[1] == "alarm"/ { alert("reversed"); }
erlang*:lists:seq/2:entry /args[0] >= 3/ { @calls = count(); @length[args[0]] = quantize(args[1] - args[0]); }
D
cat >export.conf <<C
listen 127.0.0.1:0
interval 100ms
alert-webhook http://127.0.0.1:$hang/
alert-webhook http://127.0.0.1:$hook/hook
alert-command sh -c "cat >>command.txt"
$am
alert-resolve 5s
alert-repeat 1h
node $NODE
script seq.d
C
"$ERLTRACE" export --check export.conf
export_start || exit
wait_value "erltrace_attached{script=\"seq.d\",node=\"$NODE\"}" 1
node_eval '[lists:seq(3, 60) || _ <- lists:seq(1, 40)], [lists:seq(4, 900) || _ <- lists:seq(1, 20)], ok.'
wait_value "erltrace_seq_calls_total{node=\"$NODE\"}" 60
# it happens many times a second until all know
node_eval 'register(storm, spawn(fun() -> (fun Fire() -> lists:seq(1, 7), lists:seq(2, 9), lists:reverse([], alarm), receive stop -> ok after 50 -> Fire() end end)() end)), ok.'
wait=0
until grep -q 'from 1' hook.txt && grep -q 'from 2' command.txt && grep -q '"key":"reversed"' hook.txt && { [ -z "$manager" ] || grep -q 'from 2' amhook.txt; }; do
	wait=$((wait + 1))
	[ $wait -lt 600 ] || { echo 'not all were told'; break; }
	sleep 0.1
done
value erltrace_alerts_active
# and stops
node_eval 'storm ! stop.'
for f in hook.txt command.txt; do
	until_in '"resolved","level":"critical","key":"from 1"' $f
	until_in '"resolved","level":"critical","key":"from 2"' $f
	until_in '"resolved","level":"warning","key":"reversed"' $f
	for key in 'critical","key":"from 1' 'critical","key":"from 2' 'warning","key":"reversed'; do
		grep -o "\"firing\",\"level\":\"$key\"" $f
		grep -o "\"resolved\",\"level\":\"$key\"" $f
	done
done
grep -o '"text":"lists:seq goes to 7","script":"seq.d"' hook.txt | sort -u
grep -o '"probe":"erlang[0-9]*:lists:seq/2:entry","place":"[^"]*seq.d:1","format":"[^"]*","values":\[1,7\],"count":[0-9]*' hook.txt | sed 's/erlang[0-9]*/erlang/; s/"place":"[^"]*seq.d:1"/"place":"seq.d:1"/; s/count":[0-9]*$/count/' | sort -u
# the others look the same
for f in hook.txt command.txt; do
	grep -o '"before":{"seconds":60,"aggregation":"length","top":\["3: 40","4: 20"' $f | sort -u
	sed -n 's/.*"heatmap":"\(<svg.*<\/svg>\).*/\1/p' $f | grep -q '@length.*<path fill=' && echo 'a heatmap'
done
if [ -n "$manager" ]; then
	until_in '"status":"resolved","labels":{"alertname":"seq.d"' amhook.txt
	grep -q '"groupLabels":{"alertname":"seq.d"}' amhook.txt && echo grouped
	grep -o '"status":"[a-z]*","labels":{"alertname":"seq.d","job":"erltrace","key":"from 1"[^}]*}' amhook.txt | sed "s/$NODE/NODE/" | sort -u
	grep -o '"summary":"lists:seq goes to 9"' amhook.txt | sort -u
else
	cat <<'T'
grouped
"status":"firing","labels":{"alertname":"seq.d","job":"erltrace","key":"from 1","node":"NODE","severity":"critical"}
"status":"resolved","labels":{"alertname":"seq.d","job":"erltrace","key":"from 1","node":"NODE","severity":"critical"}
"summary":"lists:seq goes to 9"
T
fi
wait_value erltrace_alerts_active 0
grep -c 'alert \[critical\] seq.d on .*: lists:seq goes to 9' export.err
grep -c 'over \[critical\] seq.d on .*: lists:seq goes to 9' export.err
export_stop
clean_node
