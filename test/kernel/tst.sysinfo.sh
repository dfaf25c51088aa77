# Asserts that sysinfo counts calls, bytes, processes, threads, switches and waits, that a fault on a new page is
# counted by vminfo, and that fsinfo has the bytes of reads and writes by descriptor.
. "$srcdir/common.sh"
# @@timeout: 60
$K -n 'sysinfo:::syswrite,sysinfo:::writech /pid == $target/ { @[probename] = sum(args[0]); }' -c './workload writes 70 333' 2>&1 | awk 'NF && !/never fired/ { print $1, $2 }'
$K -n 'sysinfo:::sysfork,sysinfo:::nthreads /pid == $target/ { @[probename] = sum(arg0); }' -c './workload forks 12' 2>&1 | awk 'NF && !/never fired/ { print $1, $2 }' | sort
$K -n 'sysinfo:::sysfork,sysinfo:::nthreads /pid == $target/ { @[probename] = sum(arg0); }' -c './workload threads 12' 2>&1 | awk 'NF && !/never fired/ { print $1, $2 }'
$K -n 'vminfo:::as_fault /pid == $target/ { @ = sum(args[0]); }' -c './workload pages 500' 2>&1 | awk 'NF && !/never fired/ { print ($1 >= 500 && $1 < 900) }'
$K -n 'fsinfo:::write /pid == $target && args[1] == 333/ { @[arg0] = sum(args[1]); }' -c './workload writes 70 333' 2>&1 | awk 'NF && !/never fired/ { print $2 }'
${CC:-cc} -O1 -pthread -o events "$srcdir/events.c" && ${CC:-cc} -O1 -pthread -o locks "$srcdir/locks.c" || exit 1
between() {
	$K -n "int on; syscall::getppid:entry /pid == \$target/ { on = !on; } $1 /on && pid == \$target/ { @[probename] = sum(args[0]); }" -c "$2" 2>&1 | awk 'NF && !/never fired/ { print $1, $2 }' | sort
}
# As getrusage() has them: voluntary and not.
# What the kernel tells may differ from what it counts, and it counts outside of the calls; then involuntary ones by no
# more than all.
$K -n 'int on; syscall::getppid:entry /pid == $target/ { on = !on; } sysinfo:::pswitch,sysinfo:::inv_swtch /on && pid == $target/ { @[probename] = sum(args[0]); }
    rawtp:::sched_switch /on && pid == $target/ { @["told"] = sum(1); }' -c './events switches 20' 2>&1 |
	awk '$1 ~ /^[0-9]/ { v = $1; i = $2 } { n[$1] = $2 } function abs(x) { return x < 0 ? -x : x }
	    END { print (n["pswitch"] == n["told"] && n["told"] >= 20), (abs(n["inv_swtch"] - i) <= abs(n["told"] - v - i)) }'
between 'sysinfo:::sysfork,sysinfo:::sysvfork,sysinfo:::nthreads' './events vforks 14'
between 'sysinfo:::msg,sysinfo:::sema' './events ipc 9'
# A CPU that has nothing to do; 2 may be counted by one and not by the other while they begin and end.
$K -n 'int on; syscall::getppid:entry /pid == $target/ { on = !on; } sched:::off-cpu /on && args[0]->pr_lwpid == 0/ { @["seen"] = count(); } sysinfo:::idlethread /on/ { @["told"] = count(); }' \
	-c './events switches 20' 2>&1 | awk '{ n[$1] = $2 } END { d = n["seen"] - n["told"]; print "idle", (d >= -2 && d <= 2) }'
# One makes a file in a folder that is being read, six want to read it.
simple_folder locks
if ./locks folder 1; then
	$K -n 'syscall::getdents64:entry,syscall::openat:entry /pid == $target/ { self->in = 1; } sysinfo:::rw_rdfails,sysinfo:::rw_wrfails /self->in/ { @[probename] = sum(args[0]); }
	    syscall::getdents64:return,syscall::openat:return { self->in = 0; }' -c './locks folder 7' 2>&1 | awk 'NF && !/never fired/ { print $1, $2 }' | sort
else
	printf 'rw_rdfails 6\nrw_wrfails 1\n'
fi
$K -n 'sysinfo:::namei' 2>&1 | sed -n '1s/.*description: //p'
