/*
 * Built-in variables: one table. X(id, D name, D type, flags, stability)
 * The type is D source; psinfo_t and its friends come from the built-in
 * D library (lang/builtin.c), their memory layout from code/procinfo.h.
 * arg0..arg9 and args[] are not here: they compile to LDARG and LDARGX.
 */
#ifndef ET_CODE_BUILTIN_H
#define ET_CODE_BUILTIN_H

enum {
	BIF_ARRAY = 1,  /* indexed by an integer: LDBIA */
	BIF_STRING = 2, /* the value is the address of a string */
};

#define DIF_BUILTINS(X) \
	X(CALLER, "caller", "uintptr_t", 0) \
	X(CHIP, "chip", "chipid_t", 0) \
	X(CPU, "cpu", "processorid_t", 0) \
	X(CURCPU, "curcpu", "cpuinfo_t *", 0) \
	X(CURLWPSINFO, "curlwpsinfo", "lwpsinfo_t *", 0) \
	X(CURPSINFO, "curpsinfo", "psinfo_t *", 0) \
	X(CURTHREAD, "curthread", "struct task_struct *", 0) \
	X(CWD, "cwd", "string", BIF_STRING) \
	X(EPID, "epid", "uint_t", 0) \
	X(EPROC, "eproc", "string", BIF_STRING) \
	X(ERRNO, "errno", "int", 0) \
	X(EXECARGS, "execargs", "string", BIF_STRING) \
	X(EXECNAME, "execname", "string", BIF_STRING) \
	X(FDS, "fds", "fileinfo_t", BIF_ARRAY) \
	X(GID, "gid", "gid_t", 0) \
	X(ID, "id", "uint_t", 0) \
	X(IPL, "ipl", "uint_t", 0) \
	X(LGRP, "lgrp", "lgrp_id_t", 0) \
	X(NODE, "node", "string", BIF_STRING) \
	X(PID, "pid", "pid_t", 0) \
	X(PPID, "ppid", "pid_t", 0) \
	X(PROBEFUNC, "probefunc", "string", BIF_STRING) \
	X(PROBEMOD, "probemod", "string", BIF_STRING) \
	X(PROBENAME, "probename", "string", BIF_STRING) \
	X(PROBEPROV, "probeprov", "string", BIF_STRING) \
	X(PSET, "pset", "psetid_t", 0) \
	X(ROOT, "root", "string", BIF_STRING) \
	X(STACKDEPTH, "stackdepth", "uint32_t", 0) \
	X(THREADNAME, "threadname", "string", BIF_STRING) \
	X(TID, "tid", "id_t", 0) \
	X(TIMESTAMP, "timestamp", "uint64_t", 0) \
	X(UCALLER, "ucaller", "uint64_t", 0) \
	X(UID, "uid", "uid_t", 0) \
	X(UREGS, "uregs", "uint64_t", BIF_ARRAY) \
	X(USTACKDEPTH, "ustackdepth", "uint32_t", 0) \
	X(VTIMESTAMP, "vtimestamp", "uint64_t", 0) \
	X(WALLTIMESTAMP, "walltimestamp", "int64_t", 0) \
	X(ZONENAME, "zonename", "string", BIF_STRING)

enum dif_builtin {
#define X(id, name, type, flags) DIF_BI_##id,
	DIF_BUILTINS(X)
#undef X
	    DIF_NBUILTINS
};

#endif
