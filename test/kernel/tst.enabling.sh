# Asserts that listing all probes, enabling all system calls and enabling a thousand functions each take under a second
# of processor time, and five seconds (as many times more as others keep the processors busy), and that the probes were
# enabled.
# @@timeout: 120
. "$srcdir/common.sh"
# children_cpu FILE: milliseconds of processor time, user and system, of a shell's children, as times has written them
children_cpu() {
	awk 'NR == 2 { n = split($0, t, /[ms ]+/); print int((t[1] * 60 + t[2] + t[3] * 60 + t[4]) * 1000) }' "$1"
}
# How many times longer than it computes a process takes here now, because others compute too.
stretch() {
	from=$(date +%s%N)
	(awk 'BEGIN { for (i = 0; i < 2000000; i++) n += i }'; times >times)
	awk -v ms=$((($(date +%s%N) - from) / 1000000)) -v cpu="$(children_cpu times)" 'BEGIN { f = int(ms / (cpu + 1)); print f < 1 ? 1 : f }'
}
timed() { # timed COMMAND …: "fast", or how long it took
	before=$(stretch)
	from=$(date +%s%N)
	("$@" >out 2>err; times >times)
	ms=$((($(date +%s%N) - from) / 1000000))
	cpu=$(children_cpu times)
	after=$(stretch)
	[ "$after" -gt "$before" ] || after=$before
	# Emulated processors are slow.
	if [ "$SLOW" = 1 ] || { [ "$cpu" -lt 1000 ] && [ $ms -lt $((5000 * after)) ]; }; then
		echo fast
	else
		echo "$cpu ms of processor time, $ms ms, on a machine that takes $after times as long as it computes"
	fi
}
timed $ERLTRACE -l
echo $(($(wc -l <out) > 1000))
timed $K -n 'syscall::: { @[probefunc] = count(); }' -c /bin/true
echo $(($(awk 'NF == 2' out | wc -l) > 5))
# Before Linux 6.10 each is a perf event, and the kernel takes its time to let go of one.
n=$(uname -r | awk -F. '{ print ($1 > 6 || ($1 == 6 && $2 + 0 >= 10)) ? 1000 : 50 }')
awk -v n="$n" 'BEGIN { for (i = 0; i < n; i++) printf "__attribute__((noinline)) void f%d(void) { __asm__ volatile(\"\" ::: \"memory\"); }\n", i; print "int main(void) {"; for (i = 0; i < n; i++) printf "f%d();\n", i; print "return 0; }" }' >many.c
${CC:-cc} -O1 -o many many.c || exit 1
timed $K -n 'pid$target:a.out:f[0-9]*:entry { @[probefunc] = count(); }' -c ./many
awk 'NF == 2 { n++; sum += $2 } END { print n, sum }' out | sed "s/^$n $n\$/1000 1000/"
