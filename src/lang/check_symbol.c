/*
 * `symbol and module`symbol: variables and functions of the kernel. The kernel tells their addresses (/proc/kallsyms)
 * but, in its BTF, the types of only a few. A table has the types of some popular ones. A symbol with an address but no
 * type can be asked for its address: *(int *)&`symbol.
 *
 * A symbol becomes *(type *)address. Like all memory of the kernel, it cannot be assigned to.
 */
#include "lang/check_priv.h"

#include "btf/kbtf.h"
#include "sym/ksyms.h"

#include <errno.h>
#include <string.h>

static const struct {
	const char *name, *type;
} known[] = {
    {"console_printk", "int [4]"},
    {"init_mm", "struct mm_struct"},
    {"init_task", "struct task_struct"},
    {"init_uts_ns", "struct uts_namespace"},
    {"jiffies", "volatile unsigned long"},
    {"jiffies_64", "uint64_t"},
    {"loops_per_jiffy", "unsigned long"},
    {"max_low_pfn", "unsigned long"},
    {"max_pfn", "unsigned long"},
    {"max_possible_pfn", "uint64_t"},
    {"max_threads", "int"},
    {"min_low_pfn", "unsigned long"},
    {"nr_cpu_ids", "unsigned int"},
    {"nr_threads", "int"},
    {"oops_in_progress", "int"},
    {"panic_on_oops", "int"},
    {"panic_timeout", "int"},
    {"pid_max", "int"},
    {"preset_lpj", "unsigned long"},
    {"saved_command_line", "char *"},
    {"sysctl_sched_base_slice", "unsigned int"},
    {"system_state", "enum system_states"},
    {"tick_nsec", "unsigned long"},
    {"total_forks", "unsigned long"},
    {"tsc_khz", "unsigned int"},
    {"vm_swappiness", "int"},
};

/* The type from the kernel's BTF, or NULL if it has none. */
static struct type *
described_type(struct cc *cc, const char *name, bool *per_cpu)
{
	struct kbtf *b = types_kernel(cc->lang->types);
	uint32_t id = b ? kbtf_variable(b, name, per_cpu) : 0;
	return id ? type_kernel(cc->lang->types, id) : NULL;
}

static struct type *
known_type(struct cc *cc, const char *name)
{
	for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(known[i].name, name) == 0)
			return type_parse(cc, known[i].type);
	return NULL;
}

static _Noreturn void
missing(struct cc *cc, const struct node *n, const struct ksyms *k, const char *shown)
{
	if (!k)
		cc_error(
		    cc, n->pos, "D_IDENT_UNDEF", "failed to resolve %s: " KSYMS_PATH ": %s", shown, strerror(errno));
	if (ksyms_are_hidden(k))
		cc_error_hint(cc, n->pos, "D_IDENT_UNDEF",
		    "run erltrace as root, or see the sysctl kernel.kptr_restrict",
		    "failed to resolve %s: the kernel hides the addresses of its symbols from this process", shown);
	if (!ksyms_have_data(k))
		cc_error(cc, n->pos, "D_IDENT_UNDEF",
		    "failed to resolve %s: there is no such function, and this kernel tells no addresses of variables "
		    "(it was built without CONFIG_KALLSYMS_ALL)",
		    shown);
	cc_error(
	    cc, n->pos, "D_IDENT_UNDEF", "failed to resolve %s: the kernel has no such symbol (" KSYMS_PATH ")", shown);
}

void
ck_symbol(struct cc *cc, struct node *n, bool for_address)
{
	const char *module = n->u.symbol.object ? n->u.symbol.object : "", *name = n->u.symbol.name;
	const char *shown = ar_printf(cc->ar, "%s`%s", module, name);
	const struct ksyms *k = types_symbols(cc->lang->types);
	struct types *ts = cc->lang->types;
	bool per_cpu = false;
	struct ksym s;
	if (!k || !ksyms_find(k, module, name, &s))
		missing(cc, n, k, shown);
	bool is_own = !*module || strcmp(module, "vmlinux") == 0;
	struct type *t = is_own && !s.is_function ? described_type(cc, name, &per_cpu) : NULL;
	if (per_cpu)
		cc_error(cc, n->pos, "D_SYM_BADREF",
		    "%s is a variable that every CPU has its own of: its address is none", shown);
	if (!t && is_own && !s.is_function)
		t = known_type(cc, name);
	if (!t && !s.is_function && !for_address)
		cc_error_hint(cc, n->pos, "D_SYM_NOTYPES",
		    ar_printf(cc->ar, "cast its address, such as *(int *)&%s", shown),
		    "nothing is known of the type of %s", shown);
	struct type *to = type_ptr(ts, t ? t : type_void(ts));
	struct node *addr = ck_int(cc, n->pos, to, (int64_t)s.addr);
	struct node at = {.kind = N_OP1, .pos = n->pos, .depth = 2, .is_symbol = true};
	at.u.op.op = OP_DEREF;
	at.u.op.a = addr;
	at.type = t ? t : type_void(ts);
	at.is_lvalue = type_base(at.type)->kind != T_ARRAY;
	ck_become(n, &at);
	/* A function's name is its address, as in C. */
	if (s.is_function && !for_address) {
		struct node address = {.kind = N_OP1, .pos = n->pos, .depth = 3, .type = to};
		address.u.op.op = OP_ADDR;
		address.u.op.a = ck_copy(cc, n);
		ck_become(n, &address);
	}
}
