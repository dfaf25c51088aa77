# Asserts what proc reports about processes: whom they create, why they end, what they execute, and signals.
. "$srcdir/common.sh"
# A task starts when a CPU switches to it for the first time. Kernels of some sandboxes do not tell when a CPU switches away
# from the sandbox's own processes, so starts are compared with the switches that the kernel tells of.
NEW='(struct task_struct *)arg2)->nvcsw == 0 && ((struct task_struct *)arg2)->nivcsw == 0 && ((struct task_struct *)arg2'
counts() {
	awk 'NF { n[$1] = $2; if ($1 !~ /start|switch/) print $1, $2 }
	     $1 ~ /start/ { start = $1 }
	     END { print start, (n[start] == n["switch"] && n[start] > 10 && n[start] <= 20 ? "each" : n[start] " of " n["switch"]) }' | sort
}
$K -n 'proc:::create /pid == $target && args[0]->pr_ppid == pid && args[0]->pr_fname == "workload" && args[0]->pr_pid != pid/ { @[probename] = count(); }
       rawtp:::sched_switch /('"$NEW"')->real_parent->tgid == $target/ { @["switch"] = count(); }
       proc:::start /ppid == $target/ { @[probename] = count(); } proc:::exit /ppid == $target && args[0] == CLD_EXITED/ { @[probename] = count(); }' \
    -c './workload forks 20' | counts
$K -n 'proc:::lwp-create /pid == $target && execname == "workload" && args[1]->pr_pid == pid && args[0]->pr_lwpid != tid/ { @[probename] = count(); }
       rawtp:::sched_switch /('"$NEW"')->tgid == $target/ { @["switch"] = count(); }
       proc:::lwp-start /pid == $target && execname == "workload"/ { @[probename] = count(); } proc:::lwp-exit /pid == $target && tid != pid && execname == "workload"/ { @[probename] = count(); }' \
    -c './workload threads 20' | counts
cp workload victim
cat >run.sh <<'X'
./none
./victim calls 1
/bin/sh -c 'kill -9 $$'
trap : USR1
kill -USR1 $$
X
$K -n 'proc:::exec /progenyof($target)/ { printf("exec %s\n", stringof(args[0])); } proc:::exec-failure /progenyof($target)/ { printf("failure %d\n", args[0]); }
       proc:::exec-success /progenyof($target)/ { printf("success %s\n", execname); } proc:::exit /ppid == $target && args[0] == CLD_KILLED/ { printf("killed\n"); }
       proc:::signal-send /args[2] == SIGUSR1 && args[1]->pr_pid == $target/ { printf("send %d\n", args[2]); }
       proc:::signal-handle /args[0] == SIGUSR1 && pid == $target/ { printf("handle %d %d\n", args[0], args[2] != 0); }' -c '/bin/sh run.sh' 2>/dev/null |
    awk 'NF' | grep -v '/sh$\|success sh'
