# At the end a script with probes of the kernel, too, is told which of its descriptions never fired, whatever their predicates
# said: one that has fired is not named, nor is one of many probes of which one has, and ticks never are.
K="$ERLTRACE -q"
try() {
	"$@" 2>&1 >/dev/null | sed "s/pid[0-9]*:/pidN:/g"
}
try $K -n 'syscall::write:entry /pid == $target/ { @ = count(); } syscall::swapoff:entry { } syscall::swapo*:return { } tick-1h { }' -c 'echo x'
# many in one program, each of them known
try $K -n 'syscall:::entry /pid == $target && execname == "nobody"/ { } syscall::swapon: { }' -c 'echo x'
try $K -n 'pid$target::malloc:entry { } pid$target::swapoff:entry { }' -c 'ls /'
try $K -n 'profile-997 /0/ { } tick-100ms { exit(0); } syscall::swapon:entry { } syscall::swapon:entry /0/ { } sched:::on-cpu { }'
