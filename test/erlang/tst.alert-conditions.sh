# Alerts over aggregations on live nodes. erltrace export tells a webhook and an Alertmanager-like receiver that the p99
# of a function is past its budget, with the key and the value, once, and that it is over when the function is fast
# again; a rate that falls is told, too. The command on two nodes looks at the sum of both: neither alone has that many
# calls, so the alert names no node, while one that happens on a node names it. A script that is saved as a D object keeps
# its alerts. A key that is a stack is its frames, in one line, wherever the alert is told.
# @@timeout: 180
. "$srcdir/lib.sh"
. "$srcdir/../cli/export.sh"
finish() {
	export_end
	node_end
}
trap finish EXIT
until_in() {
	wait=0
	until grep -q "$1" "$2"; do
		wait=$((wait + 1))
		[ $wait -lt 600 ] || { echo "$2 has no $1"; return 1; }
		sleep 0.1
	done
}
cat >shop.erl <<'E'
-module(shop).
-export([start/0, step/1, tick/0]).
%% {shop, ms}: how long a step takes; other steps are fast
start() -> persistent_term:put(ms, 30), spawn(fun loop/0), ok.
loop() -> step(pay), step(look), tick(), receive after 5 -> loop() end.
step(pay) -> wait(persistent_term:get(ms));
step(look) -> ok.
wait(0) -> ok;
wait(Ms) -> receive after Ms -> ok end.
tick() -> ok.
E
erlc shop.erl || exit 1
node_start -pa . -pa "$BUILD/test/erlang"; A=$NODE
hook=$(node_eval "hook:start(\"$PWD/hook.txt\").")
manager=$(node_eval "hook:start(\"$PWD/manager.txt\").")
: >hook.txt >manager.txt
node_eval 'shop:start().'
cat >budget.d <<'D'
alert p99(@step) > 20ms until 15ms for 1s over 2s "[critical budget] shop:step(%s) takes %@d ms";
alert count(@ticks) < 1 for 1s over 2s "[error still] nothing happens";
erlang*:shop:step/1:entry { self->t = timestamp; self->s = text(args[0]); }
erlang*:shop:step/1:return /self->t/
{
	@step[self->s] = llquantize(timestamp - self->t, 10, 3, 10, 100);
	self->t = 0;
}
erlang*:shop:tick/0:entry { @ticks = count(); }
D
cat >export.conf <<C
listen 127.0.0.1:0
interval 100ms
alert-webhook http://127.0.0.1:$hook/hook
alert-webhook http://127.0.0.1:$manager/api/v2/alerts
alert-repeat 1h
node $NODE
script budget.d
C
export_start || exit
until_in '"firing","level":"critical","key":"budget pay"' hook.txt
# as fast as it may be
node_eval 'persistent_term:put(ms, 0).'
until_in '"resolved","level":"critical","key":"budget pay"' hook.txt
until_in 'endsAt' manager.txt
value erltrace_alerts_active
# it stops altogether
node_eval 'code:purge(shop), code:delete(shop), code:purge(shop).'
until_in '"firing","level":"error","key":"still"' hook.txt
export_stop
grep -c '"firing","level":"critical","key":"budget pay"' hook.txt
grep -c 'budget look' hook.txt
grep -o '"condition":"[^"]*","place":"[^"]*","format":"[^"]*","values":\["pay",[0-9]*\],"count":[0-9]*' hook.txt | sort -u |
	awk -F'[][,]' '{ ms = $(NF - 2); sub(/"pay",[0-9]*/, "\"pay\",MS"); print; print(ms >= 30 && ms < 10000 ? "within reason" : "wrong: " ms) }' | sort -u
grep -o '"condition":"p99[^"]*","place":"budget.d:1"' manager.txt | sort -u
# what the last minute looked like: once, when it began, and a picture that is XML
grep -o '"before":{"seconds":60,"top":\["pay: [0-9]* ms","look: [0-9]* ms"\],"heatmap":"<svg ' hook.txt | sed 's/[0-9][0-9]* ms"/MS ms"/g'
sed -n 's/.*"heatmap":"\(<svg.*<\/svg>\).*/\1/p' hook.txt | sed 's/\\n/ /g; s/\\"/"/g' >minute.svg
grep -c '@step.*p99.*<path fill=' minute.svg
[ "$(wc -c <minute.svg)" -lt 65536 ] && echo small
grep -o '"top":"pay: [0-9]* ms; look: [0-9]* ms"' manager.txt | sed 's/[0-9][0-9]* ms/MS ms/g' | sort -u
# two nodes, one sum: each makes 400 calls
cat >rate.d <<'D'
#pragma D option aggrate=100ms
#pragma D option quiet
alert count(@ticks) > 600 over 60s "together %@d";
alert count(@each) > 600 over 60s "%s alone: never";
erlang*:shop:tick/0:entry { @ticks = count(); @each[node] = count(); }
erlang*:shop:tick/0:entry /!said/ { said = 1; alert("[info happens] here"); }
tick-100ms { printf("tracing %s\n", node); }
D
node_eval '{module, shop} = code:load_file(shop), ok.'
node_start -pa . -s shop module_info; B=$NODE
"$ERLTRACE" --cookie "$COOKIE" -N "$A" --compile-only -o rate.dobj -s rate.d
: >told.txt
env --default-signal "$ERLTRACE" --cookie "$COOKIE" -N "$A" -N "$B" --alert 'cat >>told.txt' rate.dobj >out.txt 2>err.txt &
pid=$!
for n in "$A" "$B"; do
	until_in "tracing $n" out.txt
done
for n in "$A" "$B"; do
	NODE=$n
	node_eval 'length([shop:tick() || _ <- lists:seq(1, 400)]).'
done
until_in '"key":"count(@ticks) > 600 over 60s"' told.txt
for n in "$A" "$B"; do
	until_in '"key":"happens","text":"here","script":"rate.dobj","node":"'"$n@" told.txt
done
kill -TERM $pid
wait $pid
grep -v -e ' does not answer; the others go on$' -e ' answers again$' err.txt # a busy node may be silent for some seconds
grep -o '"key":"count(@ticks) > 600 over 60s","text":"together [0-9]*","script":"rate.dobj",[^,]*' told.txt | sed 's/together [0-9]*/together N/' | sort -u
grep -o 'together [0-9]*$' out.txt | awk '{ print($2 > 600 && $2 <= 800 ? "together" : "wrong: " $2) }'
grep -c alone out.txt
# one node, and stacks
cat >stack.d <<'D'
#pragma D option aggrate=100ms
#pragma D option quiet
alert count(@stacks) > 100 over 60s;
alert count(@stacks) > 100 over 60s "[error calls] %@d calls of%k";
erlang*:shop:tick/0:entry { @stacks[stack()] = count(); }
tick-100ms { printf("tracing\n"); }
D
: >told.txt >out.txt # else what the last one wrote may be read
env --default-signal "$ERLTRACE" --cookie "$COOKIE" -N "$B" --alert 'cat >>told.txt' -s stack.d >out.txt 2>err.txt &
pid=$!
until_in tracing out.txt
NODE=$B
node_eval 'length([shop:tick() || _ <- lists:seq(1, 400)]).'
until_in '"level":"warning"' told.txt
until_in '"level":"error"' told.txt
kill -TERM $pid
wait $pid
cat err.txt
# the frames around it are those of the shell, which differ between releases
frames() {
	sed "s/[a-z_]*:[^ \"]*;shop:tick\/0/FRAMES/g; s/FRAMES: [0-9]*/FRAMES: N/; s/\"$B[^\"]*/\"B/"
}
grep -o '"level":"[a-z]*","key":"[^"]*"' told.txt | frames
grep -o '"text":"count[^"]*","script":"stack.d","node":"[^"]*"' told.txt | frames
grep -o '"top":\["[^]]*\]' told.txt | frames
clean_node
