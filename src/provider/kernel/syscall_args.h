/*
 * The arguments of system calls from their manual pages and the kernel's SYSCALL_DEFINEs, for calls that BTF does not
 * describe because their function was merged into its caller. One row per call, sorted. Types are D's; types that D
 * does not know are replaced by what they stand for.
 */
/* clang-format off */
#define SYSCALL_ARGS(X) \
	X("accept", "int fd, struct sockaddr *upeer_sockaddr, int *upeer_addrlen") \
	X("accept4", "int fd, struct sockaddr *upeer_sockaddr, int *upeer_addrlen, int flags") \
	X("access", "const char *filename, int mode") \
	X("acct", "const char *name") \
	X("add_key", "const char *_type, const char *_description, const void *_payload, size_t plen, key_serial_t ringid") \
	X("adjtimex", "struct __kernel_timex *txc_p") \
	X("alarm", "unsigned int seconds") \
	X("arch_prctl", "int option, unsigned long arg2") \
	X("bind", "int fd, struct sockaddr *umyaddr, int addrlen") \
	X("bpf", "int cmd, union bpf_attr *uattr, unsigned int size") \
	X("brk", "unsigned long brk") \
	X("cachestat", "unsigned int fd, struct cachestat_range *cstat_range, struct cachestat *cstat, unsigned int flags") \
	X("capget", "struct __user_cap_header_struct *header, struct __user_cap_data_struct *dataptr") \
	X("capset", "struct __user_cap_header_struct *header, struct __user_cap_data_struct *data") \
	X("chdir", "const char *filename") \
	X("chmod", "const char *filename, umode_t mode") \
	X("chown", "const char *filename, uid_t user, gid_t group") \
	X("chroot", "const char *filename") \
	X("clock_adjtime", "clockid_t which_clock, struct __kernel_timex *utx") \
	X("clock_getres", "clockid_t which_clock, struct __kernel_timespec *tp") \
	X("clock_gettime", "clockid_t which_clock, struct __kernel_timespec *tp") \
	X("clock_nanosleep", "clockid_t which_clock, int flags, const struct __kernel_timespec *rqtp, struct __kernel_timespec *rmtp") \
	X("clock_settime", "clockid_t which_clock, const struct __kernel_timespec *tp") \
	X("clone", "unsigned long clone_flags, unsigned long newsp, int *parent_tidptr, int *child_tidptr, unsigned long tls") \
	X("clone3", "struct clone_args *uargs, size_t size") \
	X("close", "unsigned int fd") \
	X("close_range", "unsigned int fd, unsigned int max_fd, unsigned int flags") \
	X("connect", "int fd, struct sockaddr *uservaddr, int addrlen") \
	X("copy_file_range", "int fd_in, loff_t *off_in, int fd_out, loff_t *off_out, size_t len, unsigned int flags") \
	X("creat", "const char *pathname, umode_t mode") \
	X("delete_module", "const char *name_user, unsigned int flags") \
	X("dup", "unsigned int fildes") \
	X("dup2", "unsigned int oldfd, unsigned int newfd") \
	X("dup3", "unsigned int oldfd, unsigned int newfd, int flags") \
	X("epoll_create", "int size") \
	X("epoll_create1", "int flags") \
	X("epoll_ctl", "int epfd, int op, int fd, struct epoll_event *event") \
	X("epoll_pwait", "int epfd, struct epoll_event *events, int maxevents, int timeout, const sigset_t *sigmask, size_t sigsetsize") \
	X("epoll_pwait2", "int epfd, struct epoll_event *events, int maxevents, const struct __kernel_timespec *timeout, const sigset_t *sigmask, size_t sigsetsize") \
	X("epoll_wait", "int epfd, struct epoll_event *events, int maxevents, int timeout") \
	X("eventfd", "unsigned int count") \
	X("eventfd2", "unsigned int count, int flags") \
	X("execve", "const char *filename, const char **argv, const char **envp") \
	X("execveat", "int fd, const char *filename, const char **argv, const char **envp, int flags") \
	X("exit", "int error_code") \
	X("exit_group", "int error_code") \
	X("faccessat", "int dfd, const char *filename, int mode") \
	X("faccessat2", "int dfd, const char *filename, int mode, int flags") \
	X("fadvise64", "int fd, loff_t offset, size_t len, int advice") \
	X("fallocate", "int fd, int mode, loff_t offset, loff_t len") \
	X("fanotify_init", "unsigned int flags, unsigned int event_f_flags") \
	X("fanotify_mark", "int fanotify_fd, unsigned int flags, uint64_t mask, int dfd, const char *pathname") \
	X("fchdir", "unsigned int fd") \
	X("fchmod", "unsigned int fd, umode_t mode") \
	X("fchmodat", "int dfd, const char *filename, umode_t mode") \
	X("fchmodat2", "int dfd, const char *filename, umode_t mode, unsigned int flags") \
	X("fchown", "unsigned int fd, uid_t user, gid_t group") \
	X("fchownat", "int dfd, const char *filename, uid_t user, gid_t group, int flag") \
	X("fcntl", "unsigned int fd, unsigned int cmd, unsigned long arg") \
	X("fdatasync", "unsigned int fd") \
	X("fgetxattr", "int fd, const char *name, void *value, size_t size") \
	X("file_getattr", "int dfd, const char *filename, struct file_attr *ufattr, size_t usize, unsigned int at_flags") \
	X("file_setattr", "int dfd, const char *filename, struct file_attr *ufattr, size_t usize, unsigned int at_flags") \
	X("finit_module", "int fd, const char *uargs, int flags") \
	X("flistxattr", "int fd, char *list, size_t size") \
	X("flock", "unsigned int fd, unsigned int cmd") \
	X("fork", "") \
	X("fremovexattr", "int fd, const char *name") \
	X("fsconfig", "int fd, unsigned int cmd, const char *_key, const void *_value, int aux") \
	X("fsetxattr", "int fd, const char *name, const void *value, size_t size, int flags") \
	X("fsmount", "int fs_fd, unsigned int flags, unsigned int attr_flags") \
	X("fsopen", "const char *_fs_name, unsigned int flags") \
	X("fspick", "int dfd, const char *path, unsigned int flags") \
	X("fstat", "unsigned int fd, struct stat *statbuf") \
	X("fstatfs", "unsigned int fd, struct statfs *buf") \
	X("fsync", "unsigned int fd") \
	X("ftruncate", "unsigned int fd, off_t length") \
	X("futex", "uint32_t *uaddr, int op, uint32_t val, const struct __kernel_timespec *utime, uint32_t *uaddr2, uint32_t val3") \
	X("futex_requeue", "struct futex_waitv *waiters, unsigned int flags, int nr_wake, int nr_requeue") \
	X("futex_wait", "void *uaddr, unsigned long val, unsigned long mask, unsigned int flags, struct __kernel_timespec *timeout, clockid_t clockid") \
	X("futex_waitv", "struct futex_waitv *waiters, unsigned int nr_futexes, unsigned int flags, struct __kernel_timespec *timeout, clockid_t clockid") \
	X("futex_wake", "void *uaddr, unsigned long mask, int nr, unsigned int flags") \
	X("futimesat", "int dfd, const char *filename, struct __kernel_old_timeval *utimes") \
	X("get_mempolicy", "int *policy, unsigned long *nmask, unsigned long maxnode, unsigned long addr, unsigned long flags") \
	X("get_robust_list", "int pid, struct robust_list_head **head_ptr, size_t *len_ptr") \
	X("get_thread_area", "struct user_desc *u_info") \
	X("getcpu", "unsigned int *cpup, unsigned int *nodep, struct getcpu_cache *unused") \
	X("getcwd", "char *buf, unsigned long size") \
	X("getdents", "unsigned int fd, struct linux_dirent *dirent, unsigned int count") \
	X("getdents64", "unsigned int fd, struct linux_dirent64 *dirent, unsigned int count") \
	X("getegid", "") \
	X("geteuid", "") \
	X("getgid", "") \
	X("getgroups", "int gidsetsize, gid_t *grouplist") \
	X("getitimer", "int which, struct __kernel_old_itimerval *value") \
	X("getpeername", "int fd, struct sockaddr *usockaddr, int *usockaddr_len") \
	X("getpgid", "pid_t pid") \
	X("getpgrp", "") \
	X("getpid", "") \
	X("getppid", "") \
	X("getpriority", "int which, int who") \
	X("getrandom", "char *ubuf, size_t len, unsigned int flags") \
	X("getresgid", "gid_t *rgidp, gid_t *egidp, gid_t *sgidp") \
	X("getresuid", "uid_t *ruidp, uid_t *euidp, uid_t *suidp") \
	X("getrlimit", "unsigned int resource, struct rlimit *rlim") \
	X("getrusage", "int who, struct rusage *ru") \
	X("getsid", "pid_t pid") \
	X("getsockname", "int fd, struct sockaddr *usockaddr, int *usockaddr_len") \
	X("getsockopt", "int fd, int level, int optname, char *optval, int *optlen") \
	X("gettid", "") \
	X("gettimeofday", "struct __kernel_old_timeval *tv, struct timezone *tz") \
	X("getuid", "") \
	X("getxattr", "const char *pathname, const char *name, void *value, size_t size") \
	X("getxattrat", "int dfd, const char *pathname, unsigned int at_flags, const char *name, struct xattr_args *uargs, size_t usize") \
	X("init_module", "void *umod, unsigned long len, const char *uargs") \
	X("inotify_add_watch", "int fd, const char *pathname, uint32_t mask") \
	X("inotify_init", "") \
	X("inotify_init1", "int flags") \
	X("inotify_rm_watch", "int fd, int32_t wd") \
	X("io_cancel", "aio_context_t ctx_id, struct iocb *iocb, struct io_event *result") \
	X("io_destroy", "aio_context_t ctx") \
	X("io_getevents", "aio_context_t ctx_id, long min_nr, long nr, struct io_event *events, struct __kernel_timespec *timeout") \
	X("io_pgetevents", "aio_context_t ctx_id, long min_nr, long nr, struct io_event *events, struct __kernel_timespec *timeout, const struct __aio_sigset *usig") \
	X("io_setup", "unsigned int nr_events, aio_context_t *ctxp") \
	X("io_submit", "aio_context_t ctx_id, long nr, struct iocb **iocbpp") \
	X("io_uring_enter", "unsigned int fd, uint32_t to_submit, uint32_t min_complete, uint32_t flags, const void *argp, size_t argsz") \
	X("io_uring_register", "unsigned int fd, unsigned int opcode, void *arg, unsigned int nr_args") \
	X("io_uring_setup", "uint32_t entries, struct io_uring_params *params") \
	X("ioctl", "unsigned int fd, unsigned int cmd, unsigned long arg") \
	X("ioperm", "unsigned long from, unsigned long num, int turn_on") \
	X("iopl", "unsigned int level") \
	X("ioprio_get", "int which, int who") \
	X("ioprio_set", "int which, int who, int ioprio") \
	X("kcmp", "pid_t pid1, pid_t pid2, int type, unsigned long idx1, unsigned long idx2") \
	X("kexec_file_load", "int kernel_fd, int initrd_fd, unsigned long cmdline_len, const char *cmdline_ptr, unsigned long flags") \
	X("kexec_load", "unsigned long entry, unsigned long nr_segments, struct kexec_segment *segments, unsigned long flags") \
	X("keyctl", "int option, unsigned long arg2, unsigned long arg3, unsigned long arg4, unsigned long arg5") \
	X("kill", "pid_t pid, int sig") \
	X("landlock_add_rule", "int ruleset_fd, enum landlock_rule_type rule_type, const void *rule_attr, uint32_t flags") \
	X("landlock_create_ruleset", "const struct landlock_ruleset_attr *attr, size_t size, uint32_t flags") \
	X("landlock_restrict_self", "int ruleset_fd, uint32_t flags") \
	X("lchown", "const char *filename, uid_t user, gid_t group") \
	X("lgetxattr", "const char *pathname, const char *name, void *value, size_t size") \
	X("link", "const char *oldname, const char *newname") \
	X("linkat", "int olddfd, const char *oldname, int newdfd, const char *newname, int flags") \
	X("listen", "int fd, int backlog") \
	X("listmount", "const struct mnt_id_req *req, uint64_t *mnt_ids, size_t nr_mnt_ids, unsigned int flags") \
	X("listxattr", "const char *pathname, char *list, size_t size") \
	X("listxattrat", "int dfd, const char *pathname, unsigned int at_flags, char *list, size_t size") \
	X("llistxattr", "const char *pathname, char *list, size_t size") \
	X("lookup_dcookie", "uint64_t cookie64, char *buf, size_t len") \
	X("lremovexattr", "const char *pathname, const char *name") \
	X("lseek", "unsigned int fd, off_t offset, unsigned int whence") \
	X("lsetxattr", "const char *pathname, const char *name, const void *value, size_t size, int flags") \
	X("lsm_get_self_attr", "unsigned int attr, struct lsm_ctx *ctx, uint32_t *size, uint32_t flags") \
	X("lsm_list_modules", "uint64_t *ids, uint32_t *size, uint32_t flags") \
	X("lsm_set_self_attr", "unsigned int attr, struct lsm_ctx *ctx, uint32_t size, uint32_t flags") \
	X("lstat", "const char *filename, struct stat *statbuf") \
	X("madvise", "unsigned long start, size_t len_in, int behavior") \
	X("mbind", "unsigned long start, unsigned long len, unsigned long mode, const unsigned long *nmask, unsigned long maxnode, unsigned int flags") \
	X("membarrier", "int cmd, unsigned int flags, int cpu_id") \
	X("memfd_create", "const char *uname, unsigned int flags") \
	X("memfd_secret", "unsigned int flags") \
	X("migrate_pages", "pid_t pid, unsigned long maxnode, const unsigned long *old_nodes, const unsigned long *new_nodes") \
	X("mincore", "unsigned long start, size_t len, unsigned char *vec") \
	X("mkdir", "const char *pathname, umode_t mode") \
	X("mkdirat", "int dfd, const char *pathname, umode_t mode") \
	X("mknod", "const char *filename, umode_t mode, unsigned int dev") \
	X("mknodat", "int dfd, const char *filename, umode_t mode, unsigned int dev") \
	X("mlock", "unsigned long start, size_t len") \
	X("mlock2", "unsigned long start, size_t len, int flags") \
	X("mlockall", "int flags") \
	X("mmap", "unsigned long addr, unsigned long len, unsigned long prot, unsigned long flags, unsigned long fd, unsigned long off") \
	X("modify_ldt", "int func, void *ptr, unsigned long bytecount") \
	X("mount", "char *dev_name, char *dir_name, char *type, unsigned long flags, void *data") \
	X("mount_setattr", "int dfd, const char *path, unsigned int flags, struct mount_attr *uattr, size_t usize") \
	X("move_mount", "int from_dfd, const char *from_pathname, int to_dfd, const char *to_pathname, unsigned int flags") \
	X("move_pages", "pid_t pid, unsigned long nr_pages, const void **pages, const int *nodes, int *status, int flags") \
	X("mprotect", "unsigned long start, size_t len, unsigned long prot") \
	X("mq_getsetattr", "mqd_t mqdes, const struct mq_attr *u_mqstat, struct mq_attr *u_omqstat") \
	X("mq_notify", "mqd_t mqdes, const struct sigevent *u_notification") \
	X("mq_open", "const char *u_name, int oflag, umode_t mode, struct mq_attr *u_attr") \
	X("mq_timedreceive", "mqd_t mqdes, char *u_msg_ptr, size_t msg_len, unsigned int *u_msg_prio, const struct __kernel_timespec *u_abs_timeout") \
	X("mq_timedsend", "mqd_t mqdes, const char *u_msg_ptr, size_t msg_len, unsigned int msg_prio, const struct __kernel_timespec *u_abs_timeout") \
	X("mq_unlink", "const char *u_name") \
	X("mremap", "unsigned long addr, unsigned long old_len, unsigned long new_len, unsigned long flags, unsigned long new_addr") \
	X("mseal", "unsigned long start, size_t len, unsigned long flags") \
	X("msgctl", "int msqid, int cmd, struct msqid_ds *buf") \
	X("msgget", "key_t key, int msgflg") \
	X("msgrcv", "int msqid, struct msgbuf *msgp, size_t msgsz, long msgtyp, int msgflg") \
	X("msgsnd", "int msqid, struct msgbuf *msgp, size_t msgsz, int msgflg") \
	X("msync", "unsigned long start, size_t len, int flags") \
	X("munlock", "unsigned long start, size_t len") \
	X("munlockall", "") \
	X("munmap", "unsigned long addr, size_t len") \
	X("name_to_handle_at", "int dfd, const char *name, struct file_handle *handle, void *mnt_id, int flag") \
	X("nanosleep", "struct __kernel_timespec *rqtp, struct __kernel_timespec *rmtp") \
	X("newfstatat", "int dfd, const char *filename, struct stat *statbuf, int flag") \
	X("open", "const char *filename, int flags, umode_t mode") \
	X("open_by_handle_at", "int mountdirfd, struct file_handle *handle, int flags") \
	X("open_tree", "int dfd, const char *filename, unsigned int flags") \
	X("open_tree_attr", "int dfd, const char *filename, unsigned int flags, struct mount_attr *uattr, size_t usize") \
	X("openat", "int dfd, const char *filename, int flags, umode_t mode") \
	X("openat2", "int dfd, const char *filename, struct open_how *how, size_t usize") \
	X("pause", "") \
	X("perf_event_open", "struct perf_event_attr *attr_uptr, pid_t pid, int cpu, int group_fd, unsigned long flags") \
	X("personality", "unsigned int personality") \
	X("pidfd_getfd", "int pidfd, int fd, unsigned int flags") \
	X("pidfd_open", "pid_t pid, unsigned int flags") \
	X("pidfd_send_signal", "int pidfd, int sig, siginfo_t *info, unsigned int flags") \
	X("pipe", "int *fildes") \
	X("pipe2", "int *fildes, int flags") \
	X("pivot_root", "const char *new_root, const char *put_old") \
	X("pkey_alloc", "unsigned long flags, unsigned long init_val") \
	X("pkey_free", "int pkey") \
	X("pkey_mprotect", "unsigned long start, size_t len, unsigned long prot, int pkey") \
	X("poll", "struct pollfd *ufds, unsigned int nfds, int timeout_msecs") \
	X("ppoll", "struct pollfd *ufds, unsigned int nfds, struct __kernel_timespec *tsp, const sigset_t *sigmask, size_t sigsetsize") \
	X("prctl", "int option, unsigned long arg2, unsigned long arg3, unsigned long arg4, unsigned long arg5") \
	X("pread64", "unsigned int fd, char *buf, size_t count, loff_t pos") \
	X("preadv", "unsigned long fd, const struct iovec *vec, unsigned long vlen, unsigned long pos_l, unsigned long pos_h") \
	X("preadv2", "unsigned long fd, const struct iovec *vec, unsigned long vlen, unsigned long pos_l, unsigned long pos_h, int flags") \
	X("prlimit64", "pid_t pid, unsigned int resource, const struct rlimit64 *new_rlim, struct rlimit64 *old_rlim") \
	X("process_madvise", "int pidfd, const struct iovec *vec, size_t vlen, int behavior, unsigned int flags") \
	X("process_mrelease", "int pidfd, unsigned int flags") \
	X("process_vm_readv", "pid_t pid, const struct iovec *lvec, unsigned long liovcnt, const struct iovec *rvec, unsigned long riovcnt, unsigned long flags") \
	X("process_vm_writev", "pid_t pid, const struct iovec *lvec, unsigned long liovcnt, const struct iovec *rvec, unsigned long riovcnt, unsigned long flags") \
	X("pselect6", "int n, void *inp, void *outp, void *exp, struct __kernel_timespec *tsp, void *sig") \
	X("ptrace", "long request, long pid, unsigned long addr, unsigned long data") \
	X("pwrite64", "unsigned int fd, const char *buf, size_t count, loff_t pos") \
	X("pwritev", "unsigned long fd, const struct iovec *vec, unsigned long vlen, unsigned long pos_l, unsigned long pos_h") \
	X("pwritev2", "unsigned long fd, const struct iovec *vec, unsigned long vlen, unsigned long pos_l, unsigned long pos_h, int flags") \
	X("quotactl", "unsigned int cmd, const char *special, uint32_t id, void *addr") \
	X("quotactl_fd", "unsigned int fd, unsigned int cmd, uint32_t id, void *addr") \
	X("read", "unsigned int fd, char *buf, size_t count") \
	X("readahead", "int fd, loff_t offset, size_t count") \
	X("readlink", "const char *path, char *buf, int bufsiz") \
	X("readlinkat", "int dfd, const char *pathname, char *buf, int bufsiz") \
	X("readv", "unsigned long fd, const struct iovec *vec, unsigned long vlen") \
	X("reboot", "int magic1, int magic2, unsigned int cmd, void *arg") \
	X("recvfrom", "int fd, void *ubuf, size_t size, unsigned int flags, struct sockaddr *addr, int *addr_len") \
	X("recvmmsg", "int fd, struct mmsghdr *mmsg, unsigned int vlen, unsigned int flags, struct __kernel_timespec *timeout") \
	X("recvmsg", "int fd, struct user_msghdr *msg, unsigned int flags") \
	X("remap_file_pages", "unsigned long start, unsigned long size, unsigned long prot, unsigned long pgoff, unsigned long flags") \
	X("removexattr", "const char *pathname, const char *name") \
	X("removexattrat", "int dfd, const char *pathname, unsigned int at_flags, const char *name") \
	X("rename", "const char *oldname, const char *newname") \
	X("renameat", "int olddfd, const char *oldname, int newdfd, const char *newname") \
	X("renameat2", "int olddfd, const char *oldname, int newdfd, const char *newname, unsigned int flags") \
	X("request_key", "const char *_type, const char *_description, const char *_callout_info, key_serial_t destringid") \
	X("restart_syscall", "") \
	X("rmdir", "const char *pathname") \
	X("rseq", "struct rseq *rseq, uint32_t rseq_len, int flags, uint32_t sig") \
	X("rt_sigaction", "int sig, const struct sigaction *act, struct sigaction *oact, size_t sigsetsize") \
	X("rt_sigpending", "sigset_t *uset, size_t sigsetsize") \
	X("rt_sigprocmask", "int how, sigset_t *nset, sigset_t *oset, size_t sigsetsize") \
	X("rt_sigqueueinfo", "pid_t pid, int sig, siginfo_t *uinfo") \
	X("rt_sigreturn", "") \
	X("rt_sigsuspend", "sigset_t *unewset, size_t sigsetsize") \
	X("rt_sigtimedwait", "const sigset_t *uthese, siginfo_t *uinfo, const struct __kernel_timespec *uts, size_t sigsetsize") \
	X("rt_tgsigqueueinfo", "pid_t tgid, pid_t pid, int sig, siginfo_t *uinfo") \
	X("sched_get_priority_max", "int policy") \
	X("sched_get_priority_min", "int policy") \
	X("sched_getaffinity", "pid_t pid, unsigned int len, unsigned long *user_mask_ptr") \
	X("sched_getattr", "pid_t pid, struct sched_attr *uattr, unsigned int usize, unsigned int flags") \
	X("sched_getparam", "pid_t pid, struct sched_param *param") \
	X("sched_getscheduler", "pid_t pid") \
	X("sched_rr_get_interval", "pid_t pid, struct __kernel_timespec *interval") \
	X("sched_setaffinity", "pid_t pid, unsigned int len, unsigned long *user_mask_ptr") \
	X("sched_setattr", "pid_t pid, struct sched_attr *uattr, unsigned int flags") \
	X("sched_setparam", "pid_t pid, struct sched_param *param") \
	X("sched_setscheduler", "pid_t pid, int policy, struct sched_param *param") \
	X("sched_yield", "") \
	X("seccomp", "unsigned int op, unsigned int flags, void *uargs") \
	X("select", "int n, void *inp, void *outp, void *exp, struct __kernel_old_timeval *tvp") \
	X("semctl", "int semid, int semnum, int cmd, unsigned long arg") \
	X("semget", "key_t key, int nsems, int semflg") \
	X("semop", "int semid, struct sembuf *tsops, unsigned int nsops") \
	X("semtimedop", "int semid, struct sembuf *tsops, unsigned int nsops, const struct __kernel_timespec *timeout") \
	X("sendfile", "int out_fd, int in_fd, loff_t *offset, size_t count") \
	X("sendmmsg", "int fd, struct mmsghdr *mmsg, unsigned int vlen, unsigned int flags") \
	X("sendmsg", "int fd, struct user_msghdr *msg, unsigned int flags") \
	X("sendto", "int fd, void *buff, size_t len, unsigned int flags, struct sockaddr *addr, int addr_len") \
	X("set_mempolicy", "int mode, const unsigned long *nmask, unsigned long maxnode") \
	X("set_mempolicy_home_node", "unsigned long start, unsigned long len, unsigned long home_node, unsigned long flags") \
	X("set_robust_list", "struct robust_list_head *head, size_t len") \
	X("set_thread_area", "struct user_desc *u_info") \
	X("set_tid_address", "int *tidptr") \
	X("setdomainname", "char *name, int len") \
	X("setfsgid", "gid_t gid") \
	X("setfsuid", "uid_t uid") \
	X("setgid", "gid_t gid") \
	X("setgroups", "int gidsetsize, gid_t *grouplist") \
	X("sethostname", "char *name, int len") \
	X("setitimer", "int which, struct __kernel_old_itimerval *value, struct __kernel_old_itimerval *ovalue") \
	X("setns", "int fd, int flags") \
	X("setpgid", "pid_t pid, pid_t pgid") \
	X("setpriority", "int which, int who, int niceval") \
	X("setregid", "gid_t rgid, gid_t egid") \
	X("setresgid", "gid_t rgid, gid_t egid, gid_t sgid") \
	X("setresuid", "uid_t ruid, uid_t euid, uid_t suid") \
	X("setreuid", "uid_t ruid, uid_t euid") \
	X("setrlimit", "unsigned int resource, struct rlimit *rlim") \
	X("setsid", "") \
	X("setsockopt", "int fd, int level, int optname, char *optval, int optlen") \
	X("settimeofday", "struct __kernel_old_timeval *tv, struct timezone *tz") \
	X("setuid", "uid_t uid") \
	X("setxattr", "const char *pathname, const char *name, const void *value, size_t size, int flags") \
	X("setxattrat", "int dfd, const char *pathname, unsigned int at_flags, const char *name, const struct xattr_args *uargs, size_t usize") \
	X("shmat", "int shmid, char *shmaddr, int shmflg") \
	X("shmctl", "int shmid, int cmd, struct shmid_ds *buf") \
	X("shmdt", "char *shmaddr") \
	X("shmget", "key_t key, size_t size, int shmflg") \
	X("shutdown", "int fd, int how") \
	X("sigaltstack", "const stack_t *uss, stack_t *uoss") \
	X("signalfd", "int ufd, sigset_t *user_mask, size_t sizemask") \
	X("signalfd4", "int ufd, sigset_t *user_mask, size_t sizemask, int flags") \
	X("socket", "int family, int type, int protocol") \
	X("socketpair", "int family, int type, int protocol, int *usockvec") \
	X("splice", "int fd_in, loff_t *off_in, int fd_out, loff_t *off_out, size_t len, unsigned int flags") \
	X("stat", "const char *filename, struct stat *statbuf") \
	X("statfs", "const char *pathname, struct statfs *buf") \
	X("statmount", "const struct mnt_id_req *req, struct statmount *buf, size_t bufsize, unsigned int flags") \
	X("statx", "int dfd, const char *filename, unsigned int flags, unsigned int mask, struct statx *buffer") \
	X("swapoff", "const char *specialfile") \
	X("swapon", "const char *specialfile, int swap_flags") \
	X("symlink", "const char *oldname, const char *newname") \
	X("symlinkat", "const char *oldname, int newdfd, const char *newname") \
	X("sync", "") \
	X("sync_file_range", "int fd, loff_t offset, loff_t nbytes, unsigned int flags") \
	X("syncfs", "int fd") \
	X("sysfs", "int option, unsigned long arg1, unsigned long arg2") \
	X("sysinfo", "struct sysinfo *info") \
	X("syslog", "int type, char *buf, int len") \
	X("tee", "int fdin, int fdout, size_t len, unsigned int flags") \
	X("tgkill", "pid_t tgid, pid_t pid, int sig") \
	X("time", "long *tloc") \
	X("timer_create", "clockid_t which_clock, struct sigevent *timer_event_spec, timer_t *created_timer_id") \
	X("timer_delete", "timer_t timer_id") \
	X("timer_getoverrun", "timer_t timer_id") \
	X("timer_gettime", "timer_t timer_id, struct __kernel_itimerspec *setting") \
	X("timer_settime", "timer_t timer_id, int flags, const struct __kernel_itimerspec *new_setting, struct __kernel_itimerspec *old_setting") \
	X("timerfd_create", "int clockid, int flags") \
	X("timerfd_gettime", "int ufd, struct __kernel_itimerspec *otmr") \
	X("timerfd_settime", "int ufd, int flags, const struct __kernel_itimerspec *utmr, struct __kernel_itimerspec *otmr") \
	X("times", "struct tms *tbuf") \
	X("tkill", "pid_t pid, int sig") \
	X("truncate", "const char *path, long length") \
	X("umask", "int mask") \
	X("umount2", "char *name, int flags") \
	X("uname", "struct new_utsname *name") \
	X("unlink", "const char *pathname") \
	X("unlinkat", "int dfd, const char *pathname, int flag") \
	X("unshare", "unsigned long unshare_flags") \
	X("uprobe", "") \
	X("uretprobe", "") \
	X("uselib", "const char *library") \
	X("userfaultfd", "int flags") \
	X("ustat", "unsigned int dev, struct ustat *ubuf") \
	X("utime", "char *filename, struct utimbuf *times") \
	X("utimensat", "int dfd, const char *filename, struct __kernel_timespec *utimes, int flags") \
	X("utimes", "char *filename, struct __kernel_old_timeval *utimes") \
	X("vfork", "") \
	X("vhangup", "") \
	X("vmsplice", "int fd, const struct iovec *uiov, unsigned long nr_segs, unsigned int flags") \
	X("wait4", "pid_t upid, int *stat_addr, int options, struct rusage *ru") \
	X("waitid", "int which, pid_t upid, struct siginfo *infop, int options, struct rusage *ru") \
	X("write", "unsigned int fd, const char *buf, size_t count") \
	X("writev", "unsigned long fd, const struct iovec *vec, unsigned long vlen")
/* clang-format on */
/* Calls whose function in the kernel has another name. */
#define SYSCALL_RENAMED(X) \
	X("fstat", "newfstat") \
	X("lstat", "newlstat") \
	X("sendfile", "sendfile64") \
	X("stat", "newstat") \
	X("umount2", "umount") \
	X("uname", "newuname")
