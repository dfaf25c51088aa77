# Asserts that listing all probes, enabling all system calls and enabling a thousand functions each take under a second
# of processor time (five seconds on a busy machine), and that the probes were enabled.
# @@timeout: 60
. "$srcdir/common.sh"
timed() { # timed COMMAND …: "fast", or how long it took
	from=$(date +%s%N)
	("$@" >out 2>err; times >times)
	ms=$((($(date +%s%N) - from) / 1000000))
	# The second line is of the children: user, system.
	cpu=$(awk 'NR == 2 { n = split($0, t, /[ms ]+/); print int((t[1] * 60 + t[2] + t[3] * 60 + t[4]) * 1000) }' times)
	# Emulated processors are slow.
	if [ "$SLOW" = 1 ] || { [ "$cpu" -lt 1000 ] && [ $ms -lt 5000 ]; }; then
		echo fast
	else
		echo "$cpu ms of processor time, $ms ms"
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
