# Asserts that probes of sched have the thread that they are about: about as many threads are queued as are taken off
# the queue, and threads that sleep are woken. Who waits for a thread need not sleep if that was quicker, which on a busy
# machine most are.
. "$srcdir/common.sh"
$K -n 'sched:::enqueue,sched:::dequeue /args[1]->pr_fname == "workload"/ { @[probename] = count(); }
       sched:::enqueue,sched:::dequeue /args[1]->pr_fname == "workload" && args[2]->cpu_id != args[0]->pr_onpro/ { @["elsewhere"] = count(); }
       sched:::wakeup /args[1]->pr_fname == "workload"/ { @[probename] = count(); }
       sched:::off-cpu /execname == "workload" && args[0]->pr_lwpid == tid/ { @["itself"] = count(); }
       sched:::sleep /execname == "workload"/ { @[probename] = count(); }' -c './workload threads 100' |
    awk 'NF { n[$1] = $2 } END { d = n["enqueue"] - n["dequeue"]; print (n["sleep"] >= 1), (n["wakeup"] >= 100), (n["enqueue"] >= 100), (d * 5 >= -n["enqueue"] && d * 5 <= n["enqueue"]), n["elsewhere"] + 0, n["itself"] + 0 }'
