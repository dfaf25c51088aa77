/*
 * Built-in variables: one table. X(id, D name, D type, flags, stability). The type is D source. psinfo_t and the like
 * come from the built-in D library (lang/builtin.c), their memory layout from object/procinfo.h. arg0..arg9 and args[]
 * are not here: they compile to LDARG and LDARGX.
 */
#ifndef ET_OBJECT_BUILTIN_H
#define ET_OBJECT_BUILTIN_H

enum {
	BIF_ARRAY = 1,  /* indexed by an integer: LDBIA */
	BIF_STRING = 2, /* the value is the address of a string */
	BIF_THREAD = 4, /* about the thread that the probe interrupts */
	BIF_KERNEL = 8, /* only the kernel engine has it */
	BIF_NODE = 16,  /* only probes in an Erlang node have it */
};

#define DIF_BUILTINS(X) \
	X(CALLER, "caller", "uintptr_t", BIF_THREAD) \
	X(CHIP, "chip", "chipid_t", 0) \
	X(CPU, "cpu", "processorid_t", 0) \
	X(CURCPU, "curcpu", "cpuinfo_t *", 0) \
	X(CURLWPSINFO, "curlwpsinfo", "lwpsinfo_t *", BIF_THREAD) \
	X(CURPSINFO, "curpsinfo", "psinfo_t *", BIF_THREAD) \
	X(CURTHREAD, "curthread", "struct task_struct *", BIF_THREAD | BIF_KERNEL) \
	X(CWD, "cwd", "string", BIF_STRING | BIF_THREAD) \
	X(EMFA, "emfa", "string", BIF_STRING | BIF_NODE) \
	X(EPID, "epid", "uint_t", 0) \
	X(EPROC, "eproc", "string", BIF_STRING | BIF_NODE) \
	X(ERRNO, "errno", "int", BIF_THREAD) \
	X(EXECARGS, "execargs", "string", BIF_STRING | BIF_THREAD) \
	X(EXECNAME, "execname", "string", BIF_STRING | BIF_THREAD) \
	X(FDS, "fds", "fileinfo_t", BIF_ARRAY | BIF_THREAD) \
	X(GID, "gid", "gid_t", BIF_THREAD) \
	X(ID, "id", "uint_t", 0) \
	X(IPL, "ipl", "uint_t", 0) \
	X(LGRP, "lgrp", "lgrp_id_t", 0) \
	X(NODE, "node", "string", BIF_STRING) \
	X(PID, "pid", "pid_t", BIF_THREAD) \
	X(PPID, "ppid", "pid_t", BIF_THREAD) \
	X(PROBEFUNC, "probefunc", "string", BIF_STRING) \
	X(PROBEMOD, "probemod", "string", BIF_STRING) \
	X(PROBENAME, "probename", "string", BIF_STRING) \
	X(PROBEPROV, "probeprov", "string", BIF_STRING) \
	X(PSET, "pset", "psetid_t", 0) \
	X(ROOT, "root", "string", BIF_STRING | BIF_THREAD) \
	X(STACKDEPTH, "stackdepth", "uint32_t", BIF_THREAD) \
	X(THREADNAME, "threadname", "string", BIF_STRING | BIF_THREAD) \
	X(TID, "tid", "id_t", BIF_THREAD) \
	X(TIMESTAMP, "timestamp", "uint64_t", 0) \
	X(UCALLER, "ucaller", "uint64_t", BIF_THREAD) \
	X(UID, "uid", "uid_t", BIF_THREAD) \
	X(UREGS, "uregs", "uint64_t", BIF_ARRAY | BIF_THREAD | BIF_KERNEL) \
	X(USTACKDEPTH, "ustackdepth", "uint32_t", BIF_THREAD) \
	X(VTIMESTAMP, "vtimestamp", "uint64_t", BIF_THREAD) \
	X(WALLTIMESTAMP, "walltimestamp", "int64_t", 0) \
	X(ZONENAME, "zonename", "string", BIF_STRING)

enum dif_builtin {
#define X(id, name, type, flags) DIF_BI_##id,
	DIF_BUILTINS(X)
#undef X
	    DIF_NBUILTINS
};

#endif
