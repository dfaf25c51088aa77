# Asserts that vtimestamp is the time that a thread runs, as the kernel counts it: no time asleep, all the time in a
# system call that does not sleep, and the same in probes of the scheduler.
. "$srcdir/common.sh"
${CC:-cc} -O1 -pthread -o events "$srcdir/events.c" || exit 1
$K -n 'syscall::getppid:entry /pid == $target && !self->v/ { self->v = vtimestamp; self->t = timestamp; }
    syscall::nanosleep:entry,syscall::clock_nanosleep:entry /self->v/ { self->n = vtimestamp; }
    syscall::nanosleep:return,syscall::clock_nanosleep:return /self->n/ { @asleep = sum(vtimestamp - self->n); self->n = 0; }
    syscall::getppid:entry /self->v && timestamp > self->t/ { printf("ran %d of %d\n", vtimestamp - self->v, timestamp - self->t); }
    END { printa("asleep %@d\n", @asleep); }' -c './events cpu 300' 2>&1 | awk 'NF == 1 { used = $1 } $1 == "ran" { ran = $2; all = $4 } $1 == "asleep" { asleep = $2 }
	END { d = ran - used; print (used >= 300000000), (d > -used / 10 && d < used / 5), (all > ran + 100000000), (asleep < 30 * 1000000) }'
# Of a call that does not sleep, unless the thread had to give the CPU away in it.
$K -n 'syscall::getppid:entry /pid == $target/ { self->v = vtimestamp; self->t = timestamp; }
    syscall::getppid:return /self->t/ { this->v = vtimestamp - self->v; this->t = timestamp - self->t;
	@[this->v == this->t ? "all" : this->v < this->t ? "less" : "more"] = count(); self->t = 0; }' -c './workload calls 1000' 2>&1 | awk '{ n[$1] = $2 } END { print (n["all"] >= 900), n["more"] + 0, n["all"] + n["less"] }'
# From on-cpu to off-cpu it runs, from off-cpu to on-cpu it does not; give or take a little, which takes longer on an emulated machine,
# and but for one time at most: a virtual machine's host may take the processor away between two looks at the clock.
near=100000
[ -z "$SLOW" ] || near=5000000
$K -n 'self uint64_t off; sched:::on-cpu /pid == $target/ { self->on = timestamp; self->v = vtimestamp; @[self->off && vtimestamp - self->off > '$near' ? "not the same" : "the same"] = count(); }
    sched:::off-cpu /self->on/ { @[vtimestamp - self->v + '$near' >= timestamp - self->on && vtimestamp - self->v <= timestamp - self->on + '$near' ? "ran" : "did not"] = count(); self->on = 0; self->off = vtimestamp; }' \
	-c './workload sleeps 20' 2>&1 | awk 'NF { v = $NF; $NF = ""; n[$0] = v } END { print (n["the same "] >= 15), (n["not the same "] > 1), (n["ran "] >= 15), (n["did not "] > 1) }'
