/*
 * What curpsinfo, curlwpsinfo, curcpu and fds[] point at. PROCINFO_D is the D
 * declaration of the same layout: keep the two in step (a unit test compares
 * sizes and offsets).
 */
#ifndef ET_CODE_PROCINFO_H
#define ET_CODE_PROCINFO_H

#include <stdint.h>

struct procinfo_ps {
	int32_t pr_pid, pr_ppid, pr_pgid, pr_sid, pr_uid, pr_euid, pr_gid, pr_egid;
	int32_t pr_nlwp, pr_argc;
	uint64_t pr_addr, pr_start;
	char pr_dmodel, pr_state, pr_pad[6];
	char pr_fname[16];
	char pr_psargs[128];
};

struct procinfo_lwp {
	int32_t pr_lwpid, pr_flag;
	int32_t pr_pri, pr_cpu;
	uint64_t pr_addr, pr_wchan;
	char pr_state, pr_sname, pr_pad[6];
	char pr_name[16];
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

#define PROCINFO_D \
	"typedef struct psinfo {\n" \
	"	int pr_pid, pr_ppid, pr_pgid, pr_sid, pr_uid, pr_euid, pr_gid, pr_egid;\n" \
	"	int pr_nlwp, pr_argc;\n" \
	"	uint64_t pr_addr, pr_start;\n" \
	"	char pr_dmodel, pr_state, pr_pad[6];\n" \
	"	char pr_fname[16];\n" \
	"	char pr_psargs[128];\n" \
	"} psinfo_t;\n" \
	"typedef struct lwpsinfo {\n" \
	"	int pr_lwpid, pr_flag;\n" \
	"	int pr_pri, pr_cpu;\n" \
	"	uint64_t pr_addr, pr_wchan;\n" \
	"	char pr_state, pr_sname, pr_pad[6];\n" \
	"	char pr_name[16];\n" \
	"} lwpsinfo_t;\n" \
	"typedef struct cpuinfo {\n" \
	"	int cpu_id, cpu_pset, cpu_chip, cpu_lgrp;\n" \
	"} cpuinfo_t;\n" \
	"typedef struct fileinfo {\n" \
	"	char fi_name[256], fi_dirname[1024], fi_pathname[1024];\n" \
	"	char fi_fs[32], fi_mount[256];\n" \
	"	int64_t fi_offset;\n" \
	"	int fi_oflags, fi_pad;\n" \
	"} fileinfo_t;\n"

#endif
