# Asserts what psinfo_t and lwpsinfo_t say about other threads: bound and stopped ones, their terminals and system
# calls.
. "$srcdir/common.sh"
# In write() the number of the call is write's: 1, or 64 on arm64.
$K -n 'syscall::write:entry /pid == $target/ { @[curlwpsinfo->pr_syscall == '$([ "$(uname -m)" = aarch64 ] && echo 64 || echo 1)'] = count(); }' -c './workload writes 5 10' 2>&1 | awk 'NF'
# Who stops says so when it gives its CPU away.
cat >stops.sh <<'S'
sh -c 'kill -STOP $$' &
until grep -q 'State:.T' /proc/$!/status; do sleep 0.01; done
kill -CONT $!
wait
S
$K -n 'sched:::off-cpu /progenyof($target) && curlwpsinfo->pr_flag & PR_STOPPED && !seen++/ { @[curlwpsinfo->pr_flag == PR_STOPPED, curlwpsinfo->pr_state == SSTOP] = count(); }' -c 'sh stops.sh' 2>&1 | awk 'NF'
one=$(taskset -pc $$ | sed 's/.*: //; s/[,-].*//')
taskset -c "$one" $K -n 'BEGIN { printf("bound: %d %d\n", curlwpsinfo->pr_bindpro, xlate <lwpsinfo_t *>(curthread)->pr_bindpro); exit(0); }' 2>&1 | awk -v one="$one" 'NF { print $1, ($2 == one), ($3 == one) }'
for engine in user kernel; do
	taskset -c "$one" $ERLTRACE -q -xengine=$engine -n 'BEGIN { printf("on: %d %d\n", curlwpsinfo->pr_bindpro, curlwpsinfo->pr_onpro); exit(0); }' 2>&1 | awk -v one="$one" 'NF { print $1, ($2 == one), ($3 == one) }'
done
$K -n 'BEGIN { this->p = curthread->group_leader; printf("same: %d %d %d %d\n", xlate <psinfo_t *>(this->p)->pr_argv == curpsinfo->pr_argv,
    xlate <psinfo_t *>(this->p)->pr_envp == curpsinfo->pr_envp, xlate <psinfo_t *>(this->p)->pr_ttydev == curpsinfo->pr_ttydev,
    xlate <psinfo_t *>(this->p)->pr_dmodel == PR_MODEL_LP64); exit(0); }' 2>&1 | awk 'NF'
setsid $K -n 'BEGIN { printf("no terminal: %d", (int64_t)curpsinfo->pr_ttydev); exit(0); }' </dev/null 2>&1 | awk 'NF'
$K -n 'sched:::off-cpu /curlwpsinfo->pr_clname == "SYS"/ { printf("kernel thread: %s", curlwpsinfo->pr_clname); exit(0); }' 2>&1 | awk 'NF'
