/*
 * How the kernel's structures become DTrace's: the D library of the kernel's probes. It is compiled when a translation
 * is first asked for, because its types are the kernel's. A member that this kernel cannot give is left out, and named
 * when a program asks for it. A member that different kernels name differently is defined for each name, and the first
 * that this kernel knows counts.
 */

translator psinfo_t < struct task_struct *T > {
	pr_pid = T->tgid;
	pr_ppid = T->real_parent->tgid;
	pr_pgid = T->signal->pids[2]->numbers[0].nr;
	pr_sid = T->signal->pids[3]->numbers[0].nr;
	pr_uid = T->real_cred->uid.val;
	pr_euid = T->real_cred->euid.val;
	pr_gid = T->real_cred->gid.val;
	pr_egid = T->real_cred->egid.val;
	pr_nlwp = T->signal->nr_threads;
	pr_addr = (uint64_t)T;
	pr_start = T->start_time + (walltimestamp - timestamp);
	pr_argc = T->tgid == pid ? curpsinfo->pr_argc : 0;
	pr_argv = T->mm == NULL ? 0 : T->mm->start_stack + 8;
	pr_envp = T->tgid == pid ? curpsinfo->pr_envp : 0;
	pr_ttydev = T->signal->tty == NULL ? (uint64_t)-1 : (uint64_t)T->signal->tty->driver->major << 20 |
	    (T->signal->tty->driver->minor_start + T->signal->tty->index);
	pr_wstat = 0;
	pr_taskid = 0;
	pr_projid = 0;
	pr_poolid = 0;
	pr_zoneid = 0;
	pr_contract = 0;
	pr_dmodel = T->thread_info.flags & 1 << 29 ? PR_MODEL_ILP32 : PR_MODEL_LP64; /* TIF_ADDR32 */
	pr_dmodel = PR_MODEL_LP64;
	pr_fname = stringof(T->group_leader->comm);
	/* The words of another process's command line are in its own memory. */
	pr_psargs = T->tgid == pid ? stringof(curpsinfo->pr_psargs) : stringof(T->group_leader->comm);
};
translator lwpsinfo_t < struct task_struct *T > {
	pr_lwpid = T->pid;
	/* Stopped; stopped by a tracer; the idle thread of a CPU. */
	pr_flag = (T->__state & 4 ? PR_STOPPED : T->__state & 8 ? PR_STOPPED | PR_ISTOP : 0) | (T->pid == 0 ? PR_IDLE : 0);
	pr_pri = T->prio - 100; /* as in /proc */
	pr_onpro = T->thread_info.cpu;
	pr_onpro = T->cpu;
	pr_bindpro = T->nr_cpus_allowed == 1 ? T->thread_info.cpu : -1;
	pr_bindpro = T->nr_cpus_allowed == 1 ? T->cpu : -1;
	pr_bindpset = -1;
	pr_stype = 0;
	pr_syscall = T == curthread ? curlwpsinfo->pr_syscall : 0;
	/* Threads of the kernel; SCHED_FIFO, SCHED_RR and SCHED_DEADLINE. */
	pr_clname = T->policy == 1 || T->policy == 2 || T->policy == 6 ? "RT" : T->flags & 0x00200000 ? "SYS" : "TS";
	pr_addr = (uint64_t)T;
	pr_wchan = 0;
	pr_sname = T->__state == 0 ? 'R' : T->__state & 1 ? 'S' : T->__state & 2 ? 'D' : T->__state & 4 ? 'T' :
	    T->__state & 8 ? 't' : T->exit_state & 16 ? 'X' : T->exit_state & 32 ? 'Z' : '?';
	pr_state = T->__state == 0 ? (T->on_cpu ? SONPROC : SRUN) : T->__state & 3 ? SSLEEP : T->__state & 12 ? SSTOP :
	    T->exit_state || T->__state & 0x80 ? SZOMB : T->__state & 0x800 ? SIDL : SSLEEP;
	pr_name = stringof(T->comm);
};
translator cpuinfo_t < int C > {
	cpu_id = C;
	cpu_pset = 0;
	cpu_chip = 0;
	cpu_lgrp = 0;
};
translator fileinfo_t < struct file *F > {
	fi_name = F == NULL ? "<none>" : stringof((char *)F->f_path.dentry->d_name.name);
	fi_dirname = F == NULL ? "<none>" : dirname(d_path(&F->f_path));
	fi_pathname = F == NULL ? "<none>" : d_path(&F->f_path);
	fi_fs = F == NULL ? "<none>" : stringof((char *)F->f_inode->i_sb->s_type->name);
	/* d_path() of the kernel engine: 2 asks for the place where it is mounted. */
	fi_mount = F == NULL ? "<none>" : d_path((void *)((uintptr_t)&F->f_path | 2));
	fi_offset = F == NULL ? 0 : F->f_pos;
	fi_oflags = F == NULL ? 0 : F->f_flags;
};
