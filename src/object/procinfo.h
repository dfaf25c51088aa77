/*
 * What curpsinfo, curlwpsinfo, curcpu and fds[] point at. dlib/psinfo.d declares the same layout in D: keep the two in
 * step (a unit test compares sizes and offsets).
 */
#ifndef ET_OBJECT_PROCINFO_H
#define ET_OBJECT_PROCINFO_H

#include <stdint.h>

struct procinfo_ps {
	int32_t pr_pid, pr_ppid, pr_pgid, pr_sid, pr_uid, pr_euid, pr_gid, pr_egid;
	int32_t pr_nlwp, pr_argc;
	uint64_t pr_addr, pr_start, pr_argv, pr_envp, pr_ttydev;
	int32_t pr_wstat, pr_taskid, pr_projid, pr_poolid, pr_zoneid, pr_contract;
	char pr_dmodel, pr_state, pr_pad[6];
	char pr_fname[16];
	char pr_psargs[128];
};

struct procinfo_lwp {
	int32_t pr_lwpid, pr_flag;
	int32_t pr_pri, pr_onpro, pr_bindpro, pr_bindpset;
	uint64_t pr_addr, pr_wchan;
	char pr_state, pr_sname, pr_stype, pr_pad[3];
	int16_t pr_syscall;
	char pr_name[16], pr_clname[8];
};

struct procinfo_cpu {
	int32_t cpu_id, cpu_pset, cpu_chip, cpu_lgrp;
};

struct procinfo_file {
	char fi_name[256], fi_dirname[1024], fi_pathname[1024];
	char fi_fs[32], fi_mount[256];
	int64_t fi_offset;
	int32_t fi_oflags, fi_pad;
};

/* Values of pr_dmodel and bits of pr_flag, Solaris's. */
enum { PR_MODEL_ILP32 = 1, PR_MODEL_LP64 = 2 };
enum { PR_STOPPED = 0x1, PR_ISTOP = 0x2, PR_DSTOP = 0x4, PR_IDLE = 0x10000000 };

/* Members that Solaris's structures have and no DTrace converts, not even on Linux. */
#define PROCINFO_NOCONV(X) \
	X("pr_cpu") \
	X("pr_ctime") X("pr_nice") X("pr_oldpri") X("pr_pctcpu") X("pr_pctmem") X("pr_rssize") X("pr_size") X("pr_time")

#endif
