# Asserts that sched counts what the scheduler does with a thread as the kernel itself does: each sleep and each time it
# had to give up the CPU; and that a change of priority is reported for the thread whose priority it is.
. "$srcdir/common.sh"
# @@timeout: 60
${CC:-cc} -O1 -pthread -o events "$srcdir/events.c" || exit 1
# Wakeups come in interrupts too: those inside another one's program are left out and counted. A thread may be woken before it sleeps.
# What happens while certain processes run is hidden from programs by some kernels: then once more.
for try in 1 2 3 4 5 6; do
	$K -n 'int on; syscall::getppid:entry /pid == $target/ { on = !on; }
	    sched:::sleep,sched:::preempt,sched:::off-cpu,sched:::on-cpu /on && tid == $target/ { @[probename] = count(); }
	    sched:::off-cpu /on && tid == $target && curlwpsinfo->pr_state == SSLEEP/ { @["asleep"] = count(); }
	    sched:::wakeup,sched:::enqueue,sched:::dequeue /on && xlate <lwpsinfo_t *>((struct task_struct *)arg0)->pr_lwpid == $target/ { @[probename] = count(); }' \
		-c './events switches 30' >out 2>&1
	drops=$(awk '/ drops? / { n += $2 } END { print n + 0 }' out)
	grep -v ' drops\? ' out | awk -v drops=$drops 'NF == 2 && $1 ~ /^[0-9]/ { v = $1; i = $2 } { n[$1] = $2 }
	    function check(name, want, more) { if (n[name] + drops < want || n[name] + 0 > want + more) print name, n[name] + 0, "instead of", want, "drops", drops; }
	    END { check("sleep", v, 0); check("asleep", v, 0); check("preempt", i, 0); check("off-cpu", v + i, 0); check("on-cpu", v + i, 0); check("dequeue", v + i, 0);
		check("wakeup", v, 2); check("enqueue", v + i, 2); print "sleeps", (v >= 30) }' >said
	[ "$(cat said)" = 'sleeps 1' ] && break
done
cat said
# The scheduler lets a thread that yields go on when nobody else wants to.
if $K -ln sched:::remain-cpu >/dev/null 2>&1; then
	$K -n 'int on; syscall::getppid:entry /pid == $target/ { on = !on; } sched:::preempt,sched:::remain-cpu /on && tid == $target/ { @ = count(); }' -c './events switches 30' 2>&1 |
		awk 'NF == 1 { n = $1 } END { if (n < 30) print "yields", n }'
fi
echo priorities:
$K -n 'int on; syscall::getppid:entry /pid == $target/ { on = !on; }
    sched:::change-pri /on && pid == $target/ { @[args[0]->pr_lwpid == tid ? "own" : "other", args[1]->pr_pid == pid, args[0]->pr_pri == args[2], args[2]] = count(); }' -c './events prio 7' 2>&1 | awk 'NF { $1 = $1; print }' | sort
echo lent:
if ./events lend; then
	$K -n 'int on; syscall::getppid:entry /pid == $target/ { on = !on; }
	    sched:::change-pri /on && args[0]->pr_lwpid == $target/ { printf("%d %d\n", args[0]->pr_pri, args[2]); }' -c './events lend' 2>&1 | awk NF | sed "s/\<$((20 + $(nice)))\>/20/" # under nice(1), too
else
	printf '20 -11\n-11 20\n'
fi
for absent in tick schedctl-yield; do
	$K -n "sched:::$absent" 2>&1 | sed -n '1s/.*description: //p'
done
