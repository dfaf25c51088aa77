# erltrace export with scripts that need no node: every kind of aggregation becomes the right metric, in both formats,
# with exact numbers. Labels are escaped and bounded. A changed configuration is read on SIGHUP, and what did not change
# keeps its counters. Slow and many scrapers do no harm. SIGTERM ends it with status 0.
# @@timeout: 120
. "$srcdir/export.sh"
trap export_end EXIT

cat >kinds.d <<'D'
/*
 * @metric @q test_wait_seconds by what in ns sum @s buckets 1..2000: How long "it" waits.
 * @metric @l test_size_bytes in bytes: Sizes.
 * @metric @ll test_levels: Levels.
 * @metric @c test_calls_total by what, who: Calls.
 * @metric @d test_delta by what as gauge: May fall.
 * @metric @busy test_busy_seconds_total in ms: Time.
 * @metric @avg test_average: Mean.
 * @metric @min test_least by what: Least.
 * @metric @max test_most by what: Largest.
 * @metric @dev test_deviation: Deviation.
 */
BEGIN
{
	@q["a"] = quantize(0);
	@q["a"] = quantize(5);
	@q["a"] = quantize(1023);
	@q["a"] = quantize(1024);
	@q["a"] = quantize(5000);
	@s["a"] = sum(0 + 5 + 1023 + 1024 + 5000);
	@l = lquantize(7, 0, 30, 10);
	@l = lquantize(29, 0, 30, 10);
	@l = lquantize(99, 0, 30, 10);
	@ll = llquantize(3, 10, 0, 1, 10);
	@ll = llquantize(42, 10, 0, 1, 10);
	@c["a \"b\" \\ c", 1] = count();
	@c["a \"b\" \\ c", 1] = count();
	@c["x\ny", -7] = count();
	@d["a"] = sum(-12);
	@busy = sum(1500);
	@avg = avg(10);
	@avg = avg(20);
	@min["a"] = min(-3);
	@max["a"] = max(77);
	@dev = stddev(2);
	@dev = stddev(4);
	@unnamed = count();
}
/* what is cleared is not lost, and does not count twice */
BEGIN { clear(@c); @c["after", 0] = count(); trunc(@q); clear(@max); @max["a"] = max(5); }
D
cat >many.d <<'D'
BEGIN { @n[0] = count(); @n[1] = count(); @n[2] = count(); @n[3] = count(); @n[3] = count(); @top[0] = max(1); @top[1] = max(2); @top[2] = max(3); @top[3] = max(4); }
D
cat >first.d <<'D'
/* @metric @q test_summed sum @s: A sum that comes before its distribution.
 * @metric @l test_again sum @s buckets 10..20: The same sum.
 * @metric @s test_alone_total: And by itself. */
BEGIN { @s = sum(5); @q = quantize(5); @l = lquantize(5, 0, 30, 10); }
D
cat >export.conf <<'C'
listen 127.0.0.1:0     # any port
interval 100ms
rows 3
script kinds.d
script many.d
script first.d
script ticks.d 3 "a b"
    option aggsize=1m
C
echo 'tick-10ms /$$2 == "a b"/ { @n = sum($1); }' >ticks.d
"$ERLTRACE" export --check export.conf
export_start || exit
# each script has a thread of its own
wait_value 'erltrace_without_row_total{script="many.d"}' 1
wait_value 'test_calls_total{what="after",who="0"}' 1
wait_value test_alone_total 5
wait_least erltrace_ticks_n_total 3
echo '-- Prometheus'
fetch /metrics | grep -v -e erltrace_ticks -e process_ -e '^erltrace_[^m]' -e '# .* erltrace_[^m]'
grep -i '^content-type' headers
echo '-- OpenMetrics'
fetch /metrics 'application/openmetrics-text; version=1.0.0; charset=utf-8,text/plain;version=0.0.4;q=0.5' >open
grep -e test_wait -e test_busy -e test_calls open
tail -n 1 open
grep -i '^content-type' headers
fetch /metrics 'application/openmetrics-text;version=1.0.0;q=0.2,text/plain;version=0.0.4;q=0.5' >/dev/null
grep -i '^content-type' headers
fetch / ; fetch /nothing; head -n 1 headers
if command -v promtool >/dev/null; then
	fetch /metrics | promtool check metrics || echo 'promtool does not like it'
fi

echo '-- reload'
before=$(value erltrace_ticks_n_total)
[ "$((before % 3))" = 0 ] && [ "$before" -gt 0 ] || echo "ticks: $before"
sed -i 's/^rows.*/rowz 7/' export.conf
kill -HUP $EXPORT_PID
wait_said "unknown setting 'rowz'; did you mean rows?"
sed -i 's/^rowz.*/rows 9/; s/^script kinds.d/script new.d/' export.conf
echo 'BEGIN { @n = count(); }' >new.d
kill -HUP $EXPORT_PID
wait_said 'reloaded: 4 scripts'
wait_value erltrace_new_n_total 1
[ "$(value erltrace_ticks_n_total)" -ge "$before" ] || echo 'the counter fell'
[ "$(value 'erltrace_attaches_total{script="ticks.d"}')" = 1 ] || echo 'the script was started again'
fetch /metrics | grep -c test_calls
value 'erltrace_reloads_total{result="done"}'
value 'erltrace_reloads_total{result="failed"}'

echo '-- scrapers that do not read'
for i in 1 2 3 4 5 6 7 8; do
	bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$1" || exit; printf "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n" >&3; sleep 60' - "$EXPORT_PORT" &
	slow="$slow $!"
done
value erltrace_new_n_total
kill $slow
export_stop
