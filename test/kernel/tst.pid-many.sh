# Asserts that a thousand probes are set in a second (five on a machine as busy as that of the tests), and that each fires once.
# @@timeout: 60
. "$srcdir/common.sh"
# Before Linux 6.10 each is a perf event, and the kernel takes its time to let go of one.
n=$(uname -r | awk -F. '{ print ($1 > 6 || ($1 == 6 && $2 + 0 >= 10)) ? 1000 : 50 }')
awk -v n=$n 'BEGIN { for (i = 0; i < n; i++) printf "__attribute__((noinline)) void f%d(void) { __asm__ volatile(\"\" ::: \"memory\"); }\n", i; print "int main(void) {"; for (i = 0; i < n; i++) printf "f%d();\n", i; print "return 0; }" }' >many.c
${CC:-cc} -O1 -o many many.c || exit 1
from=$(date +%s%N)
$K -n 'tick-1ms { exit(0); } pid$target:a.out:f[0-9]*:entry { @[probefunc] = count(); }' -c ./many >/dev/null 2>&1
to=$(date +%s%N)
ms=$(((to - from) / 1000000))
[ $ms -lt ${SLOW:+6}5000 ] && echo fast || echo "$ms ms"
echo "$ms ms" >&2
$K -n 'pid$target:a.out:f[0-9]*:entry { @[probefunc] = count(); }' -c ./many 2>/dev/null | awk 'NF == 2 { n++; sum += $2 } END { print n, sum }' | sed "s/^$n $n\$/1000 1000/"
