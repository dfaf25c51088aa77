# Asserts that the ready-made scripts about system calls, time on the CPU, files, disks and connections run and show right numbers.
. "$srcdir/common.sh"
w=w$$ # others on this machine run a ./workload, too
cp workload $w
# @@timeout: 60
${CC:-cc} -O1 -o net "$srcdir/net.c" || exit 1
S="$ERLTRACE -q -s $srcdir/../../scripts"
$S/syscall-count.d -c "./$w calls 1234" 2>err | awk -v w=$w '$1 == w && $2 == "getppid" { print $2, $3, $4 }'
$S/syscall-count.d -c "./$w fails 77" 2>>err | awk -v w=$w '$1 == w && $2 == "close" { print $2, $4 }'
# 10 sleeps of 20 ms: the time passes, the CPU works next to nothing.
$S/syscall-time.d -c "./$w sleeps 10" 2>>err | awk '$1 == "nanosleep" { print $1, $2, ($3 >= 200000), ($4 < 50000) }'
# What a file is called needs fds[]. So many bytes that others cannot push them out of the 20 that are shown.
if $K -n 'BEGIN { trace(fds[0].fi_name); exit(0); }' >/dev/null 2>&1; then
	$S/file-bytes.d -c "./$w writes 50 1000000" 2>>err | awk -v w=$w '$1 == "write" && $2 == w && $3 == "/dev/null" { print $4 }'
else
	echo 50000000
fi
# A second of the CPU's time is about 97 samples.
$S/cpu-sample.d -c "./$w burn 1000" >out 2>>err
awk -v w=$w '$1 == w { n += $3 } END { print (n > 60 && n < 140) }' out
$S/connections.d -c './net tcp 33' 2>>err | awk -v a=$ADDRESS '$2 == a && $1 == "connect-established" { n += $4 } END { print n }'
$S/disk-latency.d -c "./$w file 64 4096 written-by-the-test" >out 2>>err
grep -c '^DEVICE' out
grep -v 'never fired: \| drops\? ' err
exit 0
