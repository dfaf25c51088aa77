/*
 * What curpsinfo, curlwpsinfo, curcpu and fds[] point at. Engines fill the structures of object/procinfo.h, which must
 * have the same layout: a unit test compares sizes and offsets.
 */
typedef struct psinfo {
	int pr_pid, pr_ppid, pr_pgid, pr_sid, pr_uid, pr_euid, pr_gid, pr_egid;
	int pr_nlwp, pr_argc;
	uint64_t pr_addr, pr_start, pr_argv, pr_envp, pr_ttydev;
	int pr_wstat, pr_taskid, pr_projid, pr_poolid, pr_zoneid, pr_contract;
	char pr_dmodel, pr_state, pr_pad[6];
	char pr_fname[16];
	char pr_psargs[128];
} psinfo_t;
typedef struct lwpsinfo {
	int pr_lwpid, pr_flag;
	int pr_pri, pr_onpro, pr_bindpro, pr_bindpset;
	uint64_t pr_addr, pr_wchan;
	char pr_state, pr_sname, pr_stype, pr_pad[3];
	short pr_syscall;
	char pr_name[16], pr_clname[8];
} lwpsinfo_t;
typedef struct cpuinfo {
	int cpu_id, cpu_pset, cpu_chip, cpu_lgrp;
} cpuinfo_t;
typedef struct fileinfo {
	char fi_name[256], fi_dirname[1024], fi_pathname[1024];
	char fi_fs[32], fi_mount[256];
	int64_t fi_offset;
	int fi_oflags, fi_pad;
} fileinfo_t;
