# The memory of a node was written to swap: what a killed command had switched on is gone after two seconds, and the
# node works.
# @@timeout: 90
. "$srcdir/lib.sh"
[ "$(id -u)" = 0 ] || { echo 'needs root, for swap' >&2; exit 67; }
${CC:-cc} -O1 -D_GNU_SOURCE -o pageout "$srcdir/pageout.c" || exit 1
dd if=/dev/zero of=swap bs=1M count=256 2>/dev/null && chmod 600 swap && mkswap swap >/dev/null 2>&1 && swapon "$PWD/swap" 2>/dev/null || { echo 'no swap can be had here' >&2; exit 67; }
trap 'node_end; swapoff "$PWD/swap"' EXIT
erlc -o . "$srcdir/load.erl" || exit 1
node_start
trace_start out -n 'erlang*:load:up/1:entry { @ = count(); } erlang*:::message-send { @m = count(); }'
node_eval 'load:calls(10), ok.'
[ "$(./pageout "$NODE_PID")" -ge 8 ] && echo 'in swap' || echo 'not in swap'
kill -9 "$TRACE_PID"
wait "$TRACE_PID" 2>/dev/null
from=$(date +%s%N)
clean_node
ms=$((($(date +%s%N) - from) / 1000000))
# it asks every 100 ms and more, by a program that has to connect first; a busy machine is given longer, as in clean_node
most=4000
[ "$(cut -d. -f1 /proc/loadavg)" -le $((2 * $(nproc))) ] || most=15000
[ $ms -lt $most ] || echo "clean only after $ms ms"
node_alive && echo alive
