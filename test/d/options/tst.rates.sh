# Asserts that rates are accepted in every unit.
#
# @@timeout: 60

for r in 10 10hz 1000000ns 1000000nsec 1000us 1000usec 50ms 50msec 1s 1sec 1m 1min 1h 1hour 1d 1day; do
	$ERLTRACE -q -xstatusrate=$r -n 'BEGIN { exit(0); }' >/dev/null 2>&1 || echo $r
done
echo done
