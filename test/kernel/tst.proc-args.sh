# Asserts what proc reports about processes: whom they create, why they end, what they execute, and signals.
. "$srcdir/common.sh"
$K -n 'proc:::create /pid == $target && args[0]->pr_ppid == pid && args[0]->pr_fname == "workload" && args[0]->pr_pid != pid/ { @[probename] = count(); }
       proc:::start /ppid == $target/ { @[probename] = count(); } proc:::exit /ppid == $target && args[0] == CLD_EXITED/ { @[probename] = count(); }' \
    -c './workload forks 20' | awk 'NF { print $1, $2 }' | sort
$K -n 'proc:::lwp-create /pid == $target && execname == "workload" && args[1]->pr_pid == pid && args[0]->pr_lwpid != tid/ { @[probename] = count(); }
       proc:::lwp-start /pid == $target && execname == "workload"/ { @[probename] = count(); } proc:::lwp-exit /pid == $target && tid != pid && execname == "workload"/ { @[probename] = count(); }' \
    -c './workload threads 20' | awk 'NF { print $1, $2 }' | sort
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
