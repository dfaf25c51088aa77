# Asserts that each of 200,000 keys is in the aggregation or counted as dropped, and that with a larger aggsize all are
# in it.
. "$srcdir/common.sh"
# @@timeout: 60
D='syscall::futex:entry /pid == $target && arg1 == 99/ { @[arg2] = count(); }'
# (its keys are not fetched meanwhile, which would make room)
$K -xaggrate=1h -n "$D" -c './workload keys 200000' >out 2>err
keys=$(awk 'NF' out | wc -l)
drops=$(awk '/aggregation drop/ { n += $2 } END { print n + 0 }' err)
echo $((keys + drops)) $((drops > 0)) $((keys > 10000))
$K -xaggsize=64m -n "$D" -c './workload keys 200000' 2>err | awk 'NF { n++; if ($2 != 1) bad++ } END { print n, bad + 0 }'
cat err
