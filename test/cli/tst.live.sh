# --top and --heatmap show tables with rates, and distributions over time. Without a terminal they are plain text; on a
# terminal they are drawn in place and take keys, and the terminal is afterwards as it was before.
# @@timeout: 240
P='tick-10ms { @calls["few"] = count(); @calls["more"] = count(); } tick-5ms { @calls["more"] = count(); @bytes["x", 3] = sum(100); }
	tick-10ms { @size["d"] = quantize(100); @line = lquantize(n++ % 50, 0, 50, 10); @top = max(7); printf("not to be seen\n"); } END { printf("the end\n"); }'
"$ERLTRACE" --top --interval 400ms --for 2s -qn "$P" >out 2>err
echo "status $?"
cat err
# a frame has its time, each aggregation a table, and the most is first
grep -Ec '^[0-9]{2}:[0-9]{2}:[0-9]{2}$' out | awk '{ print ($1 >= 2 ? "frames" : $1) }'
for h in '^@calls +ADDED/s +TOTAL$' '^@bytes +ADDED/s +TOTAL$' '^@size +VALUES/s +VALUES +P50 +P95 +P99$' '^@top +VALUES/s +VALUES +max$'; do
	grep -Eq -e "$h" out || echo "no heading $h"
done
grep -A1 '^@calls' out | sed -n '2s/ .*//p'
awk '$1 == "more" { m = $3 } $1 == "few" { f = $3 } END { print (m >= 2 * f && f > 10 ? "counted" : "more " m ", few " f) }' out
awk '$1 == "x," && $4 > 1000 && $4 % 100 == 0 { found = 1 } END { print (found ? "summed" : "no sum") }' out
awk '$1 == "d" && $4 == 127 && $6 == 127 { found = 1 } END { print (found ? "percentiles" : "none") }' out
# rates are per second: 100 times a second, on a machine that may be busy
awk '$1 == "few" { n++; if ($2 > 10 && $2 < 250) ok++ } END { print (n && ok * 2 >= n ? "rates" : "rates: " ok " of " n) }' out
grep -c -e 'not to be' -e 'the end' out
# sorted by key
"$ERLTRACE" --top --sort key --for 300ms -qn "$P" | grep -A2 '^@calls' | sed -n '2,3s/ .*//p'
# what is cleared or truncated counts on
for away in clear trunc; do
	"$ERLTRACE" --top --for 1s -qn "tick-20ms { @n = count(); } tick-100ms { $away(@n); }" | awk 'NF == 2 && $1 ~ /^[0-9.]+$/ { n = $2 } END { print (n > 15 ? "not lost" : n) }'
done

echo '-- heatmap'
"$ERLTRACE" --heatmap --interval 100ms --for 1s -qn "$P" >out
echo "status $?"
grep -o '^@[a-z]*\[*d*\]*' out
grep -Ec '^ +64 \|[.:=+*#%@ -]+$' out
grep -Ec '^ +(0|10|20|30|40) \|' out
grep -c 'now$' out
"$ERLTRACE" --heatmap --for 50ms -qn 'tick-10ms { @ = count(); }' 2>&1
echo "status $?"

echo '-- wrong'
for o in '--top --heatmap' '--by process' '--sort rate' '--interval 1s' '--top --sort nosuch' '--top --json' '--top -o x.svg' '--interval 1ms --top' 'top'; do
	"$ERLTRACE" $o -qn BEGIN 2>&1 | sed 's/; .*//'
done

echo '-- terminal'
command -v script >/dev/null && script --version >/dev/null 2>&1 || { echo 'script(1) is not installed' >&2; exit 67; }
# under_terminal COMMAND: in a terminal of 24 lines and 90 columns; keys come from ./keys, what it shows goes to ./screen
under_terminal() {
	rm -f keys
	mkfifo keys
	: >screen
	TERM=xterm LC_ALL=C.UTF-8 script -qefc "stty rows 24 cols 90; stty -g >before; $1; echo \"status \$?\" >status; stty -g >after" screen <keys >/dev/null 2>&1 &
	script_pid=$!
	exec 3>keys
}
seen() { # seen TEXT: until it is on the screen
	i=0
	until grep -aqF -e "$1" screen; do
		i=$((i + 1))
		[ $i -lt 1200 ] || { echo "not seen: $1"; return; }
		sleep 0.1
	done
}
gone() {
	exec 3>&-
	wait $script_pid
	cat status
	cmp before after && echo 'as it was'
	# the other screen was entered once and left once, and long lines were cut meanwhile
	grep -aoE '(1049|\?7)[hl]' screen | tr '\n' ' '
	echo
}
under_terminal "$ERLTRACE --top --interval 100ms -qn 'tick-10ms { @k[\"b\"] = sum(2); @k[\"a\"] = sum(1); }'"
seen 'ADDED/s'
printf k >&3
i=0
# by key: a before b
until tr -d '\r' <screen | sed 's/\x1b\[[0-9;?]*[A-Za-z]//g' | awk '/^@k/ { getline; if ($1 == "a") ok = 1 } END { exit !ok }'; do
	i=$((i + 1))
	[ $i -lt 1200 ] || { echo 'not sorted by key'; break; }
	sleep 0.1
done
printf q >&3
gone
# nothing is erased behind what may be the last column
grep -ac "TOTAL$(printf '\033')\[K" screen
under_terminal "$ERLTRACE --heatmap --interval 100ms -qn 'tick-10ms { @v[\"key\"] = quantize(rand() % 1000); }'"
seen '[48;5;'
seen 'every 0.1 s'
printf q >&3
gone
# without colours
under_terminal "NO_COLOR=1 $ERLTRACE --heatmap --interval 100ms -qn 'tick-10ms { @v[\"key\"] = quantize(rand() % 1000); }'"
seen '512 |'
printf q >&3
gone
grep -ac '48;5;' screen
# Ctrl-Z gives the screen back until the view goes on
under_terminal "sh -c 'echo \$\$ >viewer; exec \"\$@\"' - $ERLTRACE --top --interval 100ms -qn 'tick-10ms { @k[\"z\"] = count(); }'"
seen 'ADDED/s'
kill -TSTP "$(cat viewer)"
i=0
until grep -q '^State:.T' "/proc/$(cat viewer)/status"; do
	i=$((i + 1))
	[ $i -lt 1200 ] || { echo 'not stopped'; break; }
	sleep 0.05
done
cp screen stopped
kill -CONT "$(cat viewer)"
i=0
until [ "$(grep -ao 'ADDED/s' screen | wc -l)" -gt "$(grep -ao 'ADDED/s' stopped | wc -l)" ]; do
	i=$((i + 1))
	[ $i -lt 1200 ] || { echo 'nothing came any more'; break; }
	sleep 0.05
done
printf q >&3
gone
# what is in a key cannot reach the terminal
under_terminal "$ERLTRACE --top --interval 100ms -qn 'tick-10ms { @k[\"\\033]0;title\\007\"] = count(); }'"
seen '?]0;title?'
printf q >&3
gone
grep -ac "$(printf '\033]0;')" screen
exit 0
