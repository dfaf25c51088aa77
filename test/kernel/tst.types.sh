# Asserts that the kernel's structures are known: members, nested members, bit-fields, sizes, typedefs, print(); and
# that a structure of the same name that a script declares is its own.
. "$srcdir/common.sh"
$K -n 'BEGIN { trace(curthread->pid == tid); trace(((struct task_struct *)curthread)->mm->total_vm > 0); trace(curthread->signal->nr_threads); exit(0); }' | awk 'NF'
$K -n 'BEGIN { printf("%s %s\n", curthread->comm, stringof(curthread->group_leader->comm)); exit(0); }' | awk 'NF'
$K -n 'BEGIN { printf("%d %d %d\n", sizeof(struct list_head), sizeof(atomic_t), offsetof(struct list_head, prev)); exit(0); }' | awk 'NF'
$K -n 'BEGIN { printf("%d\n", ((struct vmlinux`list_head *)&curthread->tasks)->next != 0); exit(0); }' | awk 'NF'
$K -n 'BEGIN { print(curthread->se.load); exit(0); }' | awk 'NF { print $1, $2 }'
$K -n 'struct list_head { int mine; }; BEGIN { printf("%d\n", sizeof(struct list_head)); exit(0); }' | awk 'NF'
$K -n 'typedef struct list_head list_t; struct list_head { char mine[3]; }; BEGIN { printf("%d\n", sizeof(list_t)); exit(0); }' | awk 'NF'
$K -n 'BEGIN { trace(((struct task_struct *)0)->pid); } BEGIN { exit(0); }' 2>&1 | grep -c 'invalid address'
$K -n 'BEGIN { trace(curthread->com); exit(0); }' 2>&1 | grep -o "did you mean.*"
$K -n 'BEGIN { trace(((struct nobody_has_this *)curthread)->x); exit(0); }' 2>&1 | grep -o "its members are not known"
$K -n 'BEGIN { this->t = xlate <psinfo_t *>(curthread)->pr_pid; printf("%d %d %d\n", this->t == pid, xlate <psinfo_t *>(curthread)->pr_pgid > 0, xlate <lwpsinfo_t *>(curthread)->pr_lwpid == tid); exit(0); }' | awk 'NF'
