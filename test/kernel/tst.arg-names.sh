# Asserts that -lv names the arguments of the kernel's providers.
. "$srcdir/common.sh"
for d in proc:::signal-send sched:::enqueue io:::start fsinfo:::read vminfo:::pgpgin lockstat:::rw-block tcp:::send rawtp:::sched_wakeup sdt:::sched_wakeup; do
	echo "$d" "$($ERLTRACE -lvn "$d" | awk '/args\[/ { printf "%s ", $NF }')"
done
# Every tracepoint of the kernel itself, and every other probe with arguments.
$ERLTRACE -lv | awk '/^ *[0-9]+ / { p = $2 ":" $3 } /args\[/ && p ~ /^(sched|proc|io|fsinfo|sysinfo|vminfo|lockstat|ip|tcp|udp):/ && !/  [a-z_0-9]+$/ { print p, $0 }'
