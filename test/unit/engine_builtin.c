/* Built-in variables: of this process, of the firing, and what a provider says instead. */
#include "eng.h"

#include "object/procinfo.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static struct as a;

static struct outcome
builtin(enum dif_builtin id, enum dobj_kind kind, const struct firing_ops *ops)
{
	struct eng_conf c = as_conf();
	struct firing f = {.thread = 1, .ops = ops};
	c.sizes.strsize = 2048;
	as_init(&a);
	as_clause(&a);
	as_op(&a, DIF_LDBI, 0, 0, 0, (int32_t)id);
	return outcome_with(&a, kind, &c, &f);
}

static void
test_numbers(void **st)
{
	(void)st;
	const struct {
		enum dif_builtin id;
		uint64_t want;
	} cases[] = {{DIF_BI_PID, (uint64_t)getpid()}, {DIF_BI_PPID, (uint64_t)getppid()},
	    {DIF_BI_TID, (uint64_t)syscall(SYS_gettid)}, {DIF_BI_UID, getuid()}, {DIF_BI_GID, getgid()}, {DIF_BI_ID, 4},
	    {DIF_BI_EPID, 1}, {DIF_BI_IPL, 0}, {DIF_BI_CALLER, 0}, {DIF_BI_STACKDEPTH, 0}, {DIF_BI_ERRNO, 0}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct outcome o = builtin(cases[i].id, DK_INT, NULL);
		assert_int_equal(o.fault, -1);
		assert_int_equal(o.value, cases[i].want);
	}
	assert_true(builtin(DIF_BI_CPU, DK_INT, NULL).value < 65536);
}

static void
test_times(void **st)
{
	(void)st;
	static const struct {
		enum dif_builtin id;
		clockid_t clock;
	} cases[] = {{DIF_BI_TIMESTAMP, CLOCK_MONOTONIC}, {DIF_BI_WALLTIMESTAMP, CLOCK_REALTIME},
	    {DIF_BI_VTIMESTAMP, CLOCK_THREAD_CPUTIME_ID}};
	for (size_t i = 0; i < 3; i++) {
		struct timespec from, to;
		clock_gettime(cases[i].clock, &from);
		uint64_t v = builtin(cases[i].id, DK_INT, NULL).value;
		clock_gettime(cases[i].clock, &to);
		assert_true(v >= (uint64_t)from.tv_sec * 1000000000u + (uint64_t)from.tv_nsec);
		assert_true(v <= (uint64_t)to.tv_sec * 1000000000u + (uint64_t)to.tv_nsec);
	}
	/* the same all through a firing */
	static const enum dif_builtin ids[] = {DIF_BI_TIMESTAMP, DIF_BI_WALLTIMESTAMP, DIF_BI_VTIMESTAMP};
	for (size_t i = 0; i < 3; i++) {
		as_init(&a);
		as_clause(&a);
		as_op(&a, DIF_LDBI, 1, 0, 0, (int32_t)ids[i]);
		as_op(&a, DIF_LDBI, 2, 0, 0, (int32_t)ids[i]);
		as_op(&a, DIF_SUB, 0, 2, 1, 0);
		assert_value(&a, 0);
	}
}

static void
read_proc(const char *path, char *to, size_t size)
{
	int fd = open(path, O_RDONLY);
	ssize_t n = read(fd, to, size - 1);
	assert_true(n > 0);
	to[to[n - 1] == '\n' ? n - 1 : n] = '\0';
	close(fd);
}

static void
test_strings(void **st)
{
	(void)st;
	char cwd[1024], comm[64];
	assert_non_null(getcwd(cwd, sizeof cwd));
	read_proc("/proc/self/comm", comm, sizeof comm);
	const struct {
		enum dif_builtin id;
		const char *want;
	} cases[] = {{DIF_BI_PROBEPROV, "test"}, {DIF_BI_PROBEMOD, "mod"}, {DIF_BI_PROBEFUNC, "func"},
	    {DIF_BI_PROBENAME, "name"}, {DIF_BI_ZONENAME, "global"}, {DIF_BI_EXECNAME, comm}, {DIF_BI_THREADNAME, comm},
	    {DIF_BI_CWD, cwd}, {DIF_BI_ROOT, "/"}, {DIF_BI_NODE, ""}, {DIF_BI_EPROC, ""}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct outcome o = builtin(cases[i].id, DK_STRING, NULL);
		assert_int_equal(o.fault, -1);
		assert_string_equal(o.text, cases[i].want);
	}
	assert_non_null(strstr(builtin(DIF_BI_EXECARGS, DK_STRING, NULL).text, "engine_builtin"));
}

/* r0 = the member of a structure, a number or a string */
static struct outcome
member(enum dif_builtin id, uint64_t index, int32_t off, enum dobj_kind kind)
{
	struct eng_conf c = as_conf();
	struct firing f = {.thread = 1};
	c.sizes.strsize = 2048;
	as_init(&a);
	as_clause(&a);
	if (id == DIF_BI_FDS) {
		as_num(&a, 1, index);
		as_op(&a, DIF_LDBIA, 0, 1, 0, (int32_t)id);
	} else {
		as_op(&a, DIF_LDBI, 0, 0, 0, (int32_t)id);
	}
	if (kind == DK_INT)
		as_op(&a, DIF_LDSW, 0, 0, 0, off);
	else
		as_op(&a, DIF_ADDI, 0, 0, 0, off);
	return outcome_with(&a, kind, &c, &f);
}

static void
test_structures(void **st)
{
	(void)st;
	char comm[64];
	read_proc("/proc/self/comm", comm, sizeof comm);
	assert_int_equal(member(DIF_BI_CURPSINFO, 0, offsetof(struct procinfo_ps, pr_pid), DK_INT).value, getpid());
	assert_int_equal(member(DIF_BI_CURPSINFO, 0, offsetof(struct procinfo_ps, pr_sid), DK_INT).value, getsid(0));
	assert_int_equal(member(DIF_BI_CURPSINFO, 0, offsetof(struct procinfo_ps, pr_nlwp), DK_INT).value, 1);
	assert_string_equal(member(DIF_BI_CURPSINFO, 0, offsetof(struct procinfo_ps, pr_fname), DK_STRING).text, comm);
	assert_non_null(strstr(
	    member(DIF_BI_CURPSINFO, 0, offsetof(struct procinfo_ps, pr_psargs), DK_STRING).text, "engine_builtin"));
	assert_int_equal(
	    member(DIF_BI_CURLWPSINFO, 0, offsetof(struct procinfo_lwp, pr_lwpid), DK_INT).value, syscall(SYS_gettid));
	assert_int_equal(member(DIF_BI_CURCPU, 0, offsetof(struct procinfo_cpu, cpu_id), DK_INT).fault, -1);
	/* no further than its end */
	assert_int_equal(member(DIF_BI_CURCPU, 0, sizeof(struct procinfo_cpu) - 3, DK_INT).fault, DIF_FAULT_BADADDR);
}

static void
test_files(void **st)
{
	(void)st;
	int fd = open("/proc/self/status", O_RDONLY | O_APPEND);
	char head[10];
	assert_true(fd >= 0);
	assert_int_equal(read(fd, head, sizeof head), 10);
	char want[64];
	snprintf(want, sizeof want, "/proc/%d", (int)getpid());
	uint64_t n = (uint64_t)fd;
	assert_string_equal(member(DIF_BI_FDS, n, offsetof(struct procinfo_file, fi_name), DK_STRING).text, "status");
	assert_string_equal(member(DIF_BI_FDS, n, offsetof(struct procinfo_file, fi_dirname), DK_STRING).text, want);
	assert_string_equal(member(DIF_BI_FDS, n, offsetof(struct procinfo_file, fi_fs), DK_STRING).text, "proc");
	assert_string_equal(member(DIF_BI_FDS, n, offsetof(struct procinfo_file, fi_mount), DK_STRING).text, "/proc");
	assert_int_equal(member(DIF_BI_FDS, n, offsetof(struct procinfo_file, fi_offset), DK_INT).value, 10);
	assert_true(member(DIF_BI_FDS, n, offsetof(struct procinfo_file, fi_oflags), DK_INT).value & O_APPEND);
	close(fd);
	assert_string_equal(
	    member(DIF_BI_FDS, 999, offsetof(struct procinfo_file, fi_pathname), DK_STRING).text, "<none>");
	assert_int_equal(member(DIF_BI_FDS, 65536, 0, DK_STRING).fault, DIF_FAULT_BADINDEX);
	assert_int_equal(member(DIF_BI_FDS, UINT64_MAX, 0, DK_STRING).fault, DIF_FAULT_BADINDEX);
}

static void
test_uregs(void **st)
{
	(void)st;
	for (int i = 0; i < 2; i++) {
		as_init(&a);
		as_clause(&a);
		as_num(&a, 1, i ? 1000 : 0);
		as_op(&a, DIF_LDBIA, 0, 1, 0, DIF_BI_UREGS);
		if (i)
			assert_fault(&a, DIF_FAULT_BADINDEX, 1000);
		else
			assert_value(&a, 0);
	}
}

static int
provider_says(struct firing *f, enum dif_builtin id, uint64_t index, uint64_t *num, const void **mem, size_t *len)
{
	(void)f, (void)index;
	switch (id) {
	case DIF_BI_NODE:
		*mem = "n@h"; /* without its NUL */
		*len = 3;
		return 0;
	case DIF_BI_VTIMESTAMP:
		*num = 12345;
		return 0;
	case DIF_BI_ERRNO:
		return DIF_FAULT_BADSTACK;
	case DIF_BI_EPROC:
		return DIF_FAULT_BADADDR;
	case DIF_BI_TIMESTAMP:
	case DIF_BI_EPID:
		fail_msg("asked for what the engine knows");
		return 0;
	default:
		return DIF_FAULT_ILLOP;
	}
}

static void
test_provider(void **st)
{
	(void)st;
	static const struct firing_ops ops = {.builtin = provider_says};
	assert_string_equal(builtin(DIF_BI_NODE, DK_STRING, &ops).text, "n@h");
	assert_int_equal(builtin(DIF_BI_VTIMESTAMP, DK_INT, &ops).value, 12345);
	assert_int_equal(builtin(DIF_BI_ERRNO, DK_INT, &ops).fault, DIF_FAULT_BADSTACK);
	assert_int_equal(builtin(DIF_BI_EPROC, DK_STRING, &ops).fault, DIF_FAULT_BADADDR);
	assert_int_equal(builtin(DIF_BI_PID, DK_INT, &ops).value, getpid());
	assert_string_equal(builtin(DIF_BI_ZONENAME, DK_STRING, &ops).text, "global");
	assert_int_equal(builtin(DIF_BI_EPID, DK_INT, &ops).value, 1);
	assert_int_not_equal(builtin(DIF_BI_TIMESTAMP, DK_INT, &ops).value, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_numbers),
	    cmocka_unit_test(test_times),
	    cmocka_unit_test(test_strings),
	    cmocka_unit_test(test_structures),
	    cmocka_unit_test(test_files),
	    cmocka_unit_test(test_uregs),
	    cmocka_unit_test(test_provider),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
