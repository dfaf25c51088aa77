/*
 * What the language knows without declarations: built-in variables and constants. The structures of curpsinfo and the
 * like are declared in D, in src/dlib.
 *
 * Constants (errno, signals, open flags, registers of uregs[], faults) are a sorted table, searched when a name is met.
 * As inline declarations they would have to be parsed each time a program starts.
 */
#include "lang/check_priv.h"

#include "arch/arch.h"
#include "object/aggval.h"
#include "object/procinfo.h"
#include "object/subr.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

struct constant {
	const char *name;
	int value;
};

/* Sorted by name in byte order. Values are those of Linux on this processor, which is also the one of the kernel. */
/* clang-format off */
static const struct constant constants[] = {
    {"AF_INET", 2}, {"AF_INET6", 10}, {"AF_NETLINK", 16}, {"AF_PACKET", 17}, {"AF_UNIX", 1}, {"AF_UNSPEC", 0},
    {"ARPHRD_ETHER", 1}, {"ARPHRD_INFINIBAND", 32},
    {"B_ASYNC", 0x400}, {"B_BUSY", 0x1}, {"B_DONE", 0x2}, {"B_ERROR", 0x4}, {"B_PAGEIO", 0x10}, {"B_PHYS", 0x20},
    {"B_READ", 0x40}, {"B_WRITE", 0x100},
    {"CLD_CONTINUED", 6}, {"CLD_DUMPED", 3}, {"CLD_EXITED", 1}, {"CLD_KILLED", 2}, {"CLD_STOPPED", 5},
    {"CLD_TRAPPED", 4}, {"DTRACEFLT_BADADDR", 1}, {"DTRACEFLT_BADALIGN", 2}, {"DTRACEFLT_BADINDEX", 12},
    {"DTRACEFLT_BADSIZE", 11}, {"DTRACEFLT_BADSTACK", 9}, {"DTRACEFLT_DIVZERO", 4}, {"DTRACEFLT_ILLOP", 3},
    {"DTRACEFLT_KPRIV", 6}, {"DTRACEFLT_LIBRARY", 10}, {"DTRACEFLT_NOSCRATCH", 5}, {"DTRACEFLT_TUPOFLOW", 8},
    {"DTRACEFLT_UNKNOWN", 0}, {"DTRACEFLT_UPRIV", 7}, {"E2BIG", 7}, {"EACCES", 13}, {"EADDRINUSE", 98},
    {"EADDRNOTAVAIL", 99}, {"EADV", 68}, {"EAFNOSUPPORT", 97}, {"EAGAIN", 11}, {"EALREADY", 114}, {"EBADE", 52},
    {"EBADF", 9}, {"EBADFD", 77}, {"EBADMSG", 74}, {"EBADR", 53}, {"EBADRQC", 56}, {"EBADSLT", 57},
    {"EBFONT", 59}, {"EBUSY", 16}, {"ECANCELED", 125}, {"ECHILD", 10}, {"ECHRNG", 44}, {"ECOMM", 70},
    {"ECONNABORTED", 103}, {"ECONNREFUSED", 111}, {"ECONNRESET", 104}, {"EDEADLK", 35}, {"EDEADLOCK", 35},
    {"EDESTADDRREQ", 89}, {"EDOM", 33}, {"EDOTDOT", 73}, {"EDQUOT", 122}, {"EEXIST", 17}, {"EFAULT", 14},
    {"EFBIG", 27}, {"EHOSTDOWN", 112}, {"EHOSTUNREACH", 113}, {"EIDRM", 43}, {"EILSEQ", 84}, {"EINPROGRESS", 115},
    {"EINTR", 4}, {"EINVAL", 22}, {"EIO", 5}, {"EISCONN", 106}, {"EISDIR", 21}, {"EISNAM", 120},
    {"EKEYEXPIRED", 127}, {"EKEYREJECTED", 129}, {"EKEYREVOKED", 128}, {"EL2HLT", 51}, {"EL2NSYNC", 45},
    {"EL3HLT", 46}, {"EL3RST", 47}, {"ELIBACC", 79}, {"ELIBBAD", 80}, {"ELIBEXEC", 83}, {"ELIBMAX", 82},
    {"ELIBSCN", 81}, {"ELNRNG", 48}, {"ELOOP", 40}, {"EMEDIUMTYPE", 124}, {"EMFILE", 24}, {"EMLINK", 31},
    {"EMSGSIZE", 90}, {"EMULTIHOP", 72}, {"ENAMETOOLONG", 36}, {"ENAVAIL", 119}, {"ENETDOWN", 100},
    {"ENETRESET", 102}, {"ENETUNREACH", 101}, {"ENFILE", 23}, {"ENOANO", 55}, {"ENOBUFS", 105}, {"ENOCSI", 50},
    {"ENODATA", 61}, {"ENODEV", 19}, {"ENOENT", 2}, {"ENOEXEC", 8}, {"ENOKEY", 126}, {"ENOLCK", 37},
    {"ENOLINK", 67}, {"ENOMEDIUM", 123}, {"ENOMEM", 12}, {"ENOMSG", 42}, {"ENONET", 64}, {"ENOPKG", 65},
    {"ENOPROTOOPT", 92}, {"ENOSPC", 28}, {"ENOSR", 63}, {"ENOSTR", 60}, {"ENOSYS", 38}, {"ENOTBLK", 15},
    {"ENOTCONN", 107}, {"ENOTDIR", 20}, {"ENOTEMPTY", 39}, {"ENOTNAM", 118}, {"ENOTRECOVERABLE", 131},
    {"ENOTSOCK", 88}, {"ENOTSUP", 95}, {"ENOTTY", 25}, {"ENOTUNIQ", 76}, {"ENXIO", 6}, {"EOPNOTSUPP", 95},
    {"EOVERFLOW", 75}, {"EOWNERDEAD", 130}, {"EPERM", 1}, {"EPFNOSUPPORT", 96}, {"EPIPE", 32}, {"EPROTO", 71},
    {"EPROTONOSUPPORT", 93}, {"EPROTOTYPE", 91}, {"ERANGE", 34}, {"EREMCHG", 78}, {"EREMOTE", 66},
    {"EREMOTEIO", 121}, {"ERESTART", 85}, {"ERFKILL", 132}, {"EROFS", 30}, {"ESHUTDOWN", 108},
    {"ESOCKTNOSUPPORT", 94}, {"ESPIPE", 29}, {"ESRCH", 3}, {"ESRMNT", 69}, {"ESTALE", 116}, {"ESTRPIPE", 86},
    {"ETIME", 62}, {"ETIMEDOUT", 110}, {"ETOOMANYREFS", 109}, {"ETXTBSY", 26}, {"EUCLEAN", 117}, {"EUNATCH", 49},
    {"EUSERS", 87}, {"EWOULDBLOCK", 11}, {"EXDEV", 18}, {"EXFULL", 54}, {"FLTACCESS", 5}, {"FLTBOUNDS", 6},
    {"FLTBPT", 3}, {"FLTFPE", 9}, {"FLTILL", 1}, {"FLTIOVF", 7}, {"FLTIZDIV", 8}, {"FLTPAGE", 11}, {"FLTPRIV", 2},
    {"FLTSTACK", 10}, {"FLTTRACE", 4}, {"FLTWATCH", 12}, {"IPPROTO_ICMP", 1}, {"IPPROTO_ICMPV6", 58},
    {"IPPROTO_TCP", 6}, {"IPPROTO_UDP", 17}, {"NULL", 0}, {"O_ACCMODE", 3},
    {"O_APPEND", 1024}, {"O_ASYNC", 8192}, {"O_CLOEXEC", 524288}, {"O_CREAT", 64}, {"O_DIRECT", O_DIRECT},
    {"O_DIRECTORY", O_DIRECTORY}, {"O_DSYNC", 4096}, {"O_EXCL", 128}, {"O_LARGEFILE", ARCH_LARGEFILE}, {"O_NDELAY", 2048},
    {"O_NOATIME", 262144}, {"O_NOCTTY", 256}, {"O_NOFOLLOW", O_NOFOLLOW}, {"O_NONBLOCK", 2048}, {"O_PATH", 2097152},
    {"O_RDONLY", 0}, {"O_RDWR", 2}, {"O_RSYNC", 1052672}, {"O_SYNC", 1052672}, {"O_TMPFILE", O_TMPFILE},
    {"O_TRUNC", 512}, {"O_WRONLY", 1},
    {"PR_DSTOP", PR_DSTOP}, {"PR_IDLE", PR_IDLE}, {"PR_ISTOP", PR_ISTOP}, {"PR_MODEL_ILP32", PR_MODEL_ILP32},
    {"PR_MODEL_LP64", PR_MODEL_LP64}, {"PR_STOPPED", PR_STOPPED}, {"RW_READER", 1}, {"RW_WRITER", 0},
#define X(name, number) {#name, number},
    ARCH_UREGS_NAMES(X)
#undef X
    {"SCHED_BATCH", 3}, {"SCHED_FIFO", 1}, {"SCHED_IDLE", 5}, {"SCHED_OTHER", 0}, {"SCHED_RR", 2}, {"SIDL", 5},
    {"SIGABRT", 6},
    {"SIGALRM", 14}, {"SIGBUS", 7}, {"SIGCHLD", 17}, {"SIGCLD", 17}, {"SIGCONT", 18}, {"SIGFPE", 8},
    {"SIGHUP", 1}, {"SIGILL", 4}, {"SIGINT", 2}, {"SIGIO", 29}, {"SIGIOT", 6}, {"SIGKILL", 9}, {"SIGPIPE", 13},
    {"SIGPOLL", 29}, {"SIGPROF", 27}, {"SIGPWR", 30}, {"SIGQUIT", 3}, {"SIGRTMAX", 64}, {"SIGRTMIN", 34},
    {"SIGSEGV", 11}, {"SIGSTKFLT", 16}, {"SIGSTOP", 19}, {"SIGSYS", 31}, {"SIGTERM", 15}, {"SIGTRAP", 5},
    {"SIGTSTP", 20}, {"SIGTTIN", 21}, {"SIGTTOU", 22}, {"SIGURG", 23}, {"SIGUSR1", 10}, {"SIGUSR2", 12},
    {"SIGVTALRM", 26}, {"SIGWINCH", 28}, {"SIGXCPU", 24}, {"SIGXFSZ", 25}, {"SONPROC", 6}, {"SRUN", 2},
    {"SSLEEP", 1}, {"SSTOP", 4}, {"SWAIT", 7}, {"SZOMB", 3},
    {"TCP_STATE_CLOSED", 7}, {"TCP_STATE_CLOSE_WAIT", 8}, {"TCP_STATE_CLOSING", 11}, {"TCP_STATE_ESTABLISHED", 1},
    {"TCP_STATE_FIN_WAIT_1", 4}, {"TCP_STATE_FIN_WAIT_2", 5}, {"TCP_STATE_LAST_ACK", 9}, {"TCP_STATE_LISTEN", 10},
    {"TCP_STATE_SYN_RECEIVED", 3}, {"TCP_STATE_SYN_SENT", 2}, {"TCP_STATE_TIME_WAIT", 6},
    {"TH_ACK", 16}, {"TH_CWR", 128}, {"TH_ECE", 64}, {"TH_FIN", 1}, {"TH_PUSH", 8}, {"TH_RST", 4}, {"TH_SYN", 2},
    {"TH_URG", 32},
};
/* clang-format on */
enum { NCONSTANTS = sizeof constants / sizeof constants[0] };

static int
constant_cmp(const void *name, const void *row)
{
	return strcmp(name, ((const struct constant *)row)->name);
}

bool
bi_const(const char *name, int64_t *value)
{
	const struct constant *c = bsearch(name, constants, NCONSTANTS, sizeof constants[0], constant_cmp);
	if (c)
		*value = c->value;
	return c != NULL;
}

static const struct {
	const char *name, *type;
	unsigned flags;
} builtins[] = {
#define X(id, name, type, flags) {name, type, flags},
    DIF_BUILTINS(X)
#undef X
};

/* Names that D did not have from the beginning, by the version that brought them. Names that came later than those
 * are not listed: from version 1.6 on, different DTraces went their own ways. aggfn.h says
 * it of aggregating functions. */
static const struct {
	unsigned minor; /* of 1.minor */
	const char *const *names;
} later[] = {
    {1, (const char *const[]){"freopen", "index", "rindex", "strchr", "strrchr", "strstr", "strtok", "substr", NULL}},
    {2, (const char *const[]){"func", "mod", "setopt", "sym", "uaddr", "ucaller", "ufunc", "umod", "usym", NULL}},
    {3, (const char *const[]){"htonl", "htonll", "htons", "ntohl", "ntohll", "ntohs", NULL}},
    {5, (const char *const[]){"inet_ntoa", "inet_ntoa6", "inet_ntop", "link_ntop", NULL}},
};

bool
bi_is_later(const struct cc *cc, const char *name)
{
	unsigned major, minor;
	const char *version = cc->is_lib || cc->lenient ? NULL : cc->opts->str[OPT_VERSION];
	if (!version || sscanf(version, "%u.%u", &major, &minor) != 2 || major > 1)
		return false;
	for (unsigned i = 0; i < sizeof later / sizeof later[0]; i++)
		for (unsigned k = 0; later[i].minor > minor && later[i].names[k]; k++)
			if (strcmp(later[i].names[k], name) == 0)
				return true;
	int fn = aggfn_find(name);
	return fn >= 0 && aggfns[fn].since > minor;
}

/* The table is in alphabetical order. */
int
bi_var(const char *name)
{
	int lo = 0, hi = DIF_NBUILTINS - 1;
	while (lo <= hi) {
		int mid = (lo + hi) / 2, c = strcmp(name, builtins[mid].name);
		if (c == 0)
			return mid;
		if (c < 0)
			hi = mid - 1;
		else
			lo = mid + 1;
	}
	return -1;
}

const char *
bi_name(enum dif_builtin id)
{
	return builtins[id].name;
}

unsigned
bi_flags(enum dif_builtin id)
{
	return builtins[id].flags;
}

struct type *
bi_type(struct cc *cc, enum dif_builtin id)
{
	if (!cc->lang->bi_types[id])
		cc->lang->bi_types[id] = ck_type_named(cc, builtins[id].type);
	return cc->lang->bi_types[id];
}

/* Returns the known name that is nearest to an unknown one: among functions, or among everything that can be a
 * value. */
const char *
bi_near(struct cc *cc, const char *name, bool functions)
{
	static const char *const subrs[] = {
#define X(id, subr, proto, operands, flags) subr,
	    DIF_SUBRS(X)
#undef X
	};
	VEC(const char *) names = {0};
	if (functions) {
		for (unsigned i = 0; i < DIF_NSUBRS; i++)
			VEC_PUSH(cc->ar, &names, subrs[i]);
		VEC_PUSH(cc->ar, &names, "name");
		for (unsigned i = 0; action_at(i); i++)
			VEC_PUSH(cc->ar, &names, action_at(i));
		for (int i = 0; i < AGG_NFNS; i++)
			VEC_PUSH(cc->ar, &names, aggval_name((unsigned)i));
	} else {
		const struct lang *l = cc->lang;
		for (unsigned i = 0; i < l->globals.n; i++)
			VEC_PUSH(cc->ar, &names, l->globals.entries[i].key);
		for (unsigned i = 0; i < DIF_NBUILTINS; i++)
			VEC_PUSH(cc->ar, &names, builtins[i].name);
		VEC_PUSH(cc->ar, &names, "args");
		for (unsigned i = 0; i < NCONSTANTS; i++)
			VEC_PUSH(cc->ar, &names, constants[i].name);
	}
	for (unsigned i = 0; i < cc->lang->inlines.n; i++)
		VEC_PUSH(cc->ar, &names, cc->lang->inlines.entries[i].key);
	return near_miss(name, names.at, names.n);
}
