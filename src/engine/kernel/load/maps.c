/*
 * The engine's maps: lays out variables and keys, makes the maps, and fills in the constants.
 */
#include "arch/arch.h"
#include "engine/kernel/kern.h"

#include "base/clock.h"
#include "object/aggval.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { MIN_ENTRIES = 8 };

unsigned
kern_frames(const struct dobj_sizes *s, unsigned kind, uint64_t arg)
{
	uint32_t n = (uint32_t)(arg & 0xffffffff);
	if (!n)
		n = kind == DK_STACK ? s->stackframes : kind == DK_USTACK ? s->ustackframes : s->jstackframes;
	return n < KERN_MAX_FRAMES ? n : KERN_MAX_FRAMES;
}

/* ---- layout ---- */

/* Returns whether some branch of the clause leads behind instruction `from`, up to `to`: then what `from` stored may
 * not be there. */
static bool
is_led_to(const struct dobj *o, const struct dobj_clause *c, uint32_t from, uint32_t to)
{
	for (uint32_t i = 0; i < c->ncode; i++) {
		const struct dif_insn *in = &o->code[c->code + i];
		if (in->op >= DIF_BA && in->op <= DIF_BLEU && (uint32_t)in->imm > from && (uint32_t)in->imm <= to)
			return true;
	}
	return false;
}

/* Returns the most bytes, including the NUL, of the string in a slot when instruction `at` takes it as a key, or
 * `most` if unknown. Most keys are names of programs and probes, which are short, and short keys are quick to hash. */
static uint32_t
slot_limit(const struct dobj *o, const struct dobj_clause *c, uint32_t at, uint32_t slot, uint32_t most)
{
	for (uint32_t i = at; i-- > 1;) {
		const struct dif_insn *store = &o->code[c->code + i], *load = store - 1;
		if (store->op != DIF_STSL || (uint32_t)store->imm != slot)
			continue;
		uint32_t limit = most;
		if (load->op == DIF_LDBI && load->rd == store->rs) {
			if (load->imm == DIF_BI_EXECNAME)
				limit = 16; /* TASK_COMM_LEN */
			else if (load->imm == DIF_BI_PROBENAME || load->imm == DIF_BI_PROBEFUNC ||
				 load->imm == DIF_BI_PROBEMOD || load->imm == DIF_BI_PROBEPROV)
				limit = RT_NAMELEN;
		}
		return limit < most && !is_led_to(o, c, i - 1, at) ? limit : most;
	}
	return most;
}

/* A foreign object may use the same keys for several things. */
static bool
is_own(const struct dobj *o, uint32_t agg)
{
	uint32_t from = o->aggs[agg].key, to = from + o->aggs[agg].nkeys;
	for (uint32_t i = 0; i < o->nvars; i++)
		if (o->vars[i].assoc && o->vars[i].key < to && from < o->vars[i].key + o->vars[i].nkeys)
			return false;
	for (uint32_t i = 0; i < o->naggs; i++)
		if (i != agg && o->aggs[i].key < to && from < o->aggs[i].key + o->aggs[i].nkeys)
			return false;
	return true;
}

/* Returns the most bytes of key i of an aggregation, over all places that add to it. */
static uint32_t
agg_key_limit(const struct dobj *o, uint32_t agg, uint32_t key, uint32_t most)
{
	uint32_t limit = 1;
	if (!is_own(o, agg))
		return most;
	for (uint32_t n = 0; n < o->nclauses; n++) {
		const struct dobj_clause *c = &o->clauses[n];
		for (uint32_t i = 0; i < c->ncode; i++) {
			const struct dif_insn *in = &o->code[c->code + i];
			if (in->op != DIF_AGG || (uint32_t)in->imm != agg)
				continue;
			uint32_t here = slot_limit(o, c, i, in->rs + key, most);
			if (here > limit)
				limit = here;
		}
	}
	return limit;
}

static bool
layout_keys(struct kernel_engine *e, uint32_t key, uint32_t n, int64_t agg, uint32_t *bytes)
{
	uint32_t at = 0;
	for (uint32_t i = 0; i < n; i++) {
		const struct dobj_key *d = &e->o->keys[key + i];
		struct kkey *k = &e->keys[key + i];
		*k = (struct kkey){.kind = d->kind, .is_signed = d->is_signed, .size = d->size, .off = at, .bytes = 8};
		switch (d->kind) {
		case DK_INT:
			k->shift = (uint8_t)(64 - 8 * (d->size >= 1 && d->size <= 8 ? d->size : 8));
			break;
		case DK_STRING:
			k->bytes = kern_up8(agg < 0 ? e->strsize : agg_key_limit(e->o, (uint32_t)agg, i, e->strsize));
			break;
		case DK_BYTES:
			k->bytes = kern_up8(d->size);
			break;
		case DK_USYM:
		case DK_UMOD:
		case DK_UADDR:
			k->bytes = 16;
			break;
		case DK_STACK:
		case DK_USTACK:
		case DK_JSTACK:
			k->frames = kern_frames(&e->conf.sizes, d->kind, d->arg);
			k->bytes = 16 + k->frames * 8;
			break;
		default:
			break;
		}
		if (k->bytes > RT_IN(e, RT_KEY_MAX) - 64 - at)
			return false;
		at += k->bytes;
	}
	*bytes = at;
	return true;
}

static bool
layout_var(struct kernel_engine *e, uint32_t i, struct why *why)
{
	const struct dobj_var *d = &e->o->vars[i];
	struct kvar *v = &e->vars[i];
	*v = (struct kvar){.scope = d->scope, .kind = d->kind, .assoc = d->assoc, .key = d->key, .map = -1};
	v->nkeys = d->assoc ? d->nkeys : 0;
	v->nbytes = d->kind == DK_STRING ? e->strsize : d->size;
	v->size = d->kind == DK_INT ? 8 : kern_up8(v->nbytes);
	if (!layout_keys(e, v->key, v->nkeys, -1, &v->keybytes)) {
		why_set(why, "the key of %s is over the limit of %u bytes: use a smaller strsize",
		    dobj_str(e->o, d->name), RT_IN(e, RT_KEY_MAX) - 64);
		return false;
	}
	if (d->scope == DS_THREAD)
		v->keybytes += 8;
	if (d->assoc || d->scope == DS_THREAD) {
		if (v->size > RT_IN(e, RT_MAXSTR)) {
			why_set(why, "%s has %u bytes: the limit for thread-local and associative variables is %u",
			    dobj_str(e->o, d->name), v->size, RT_IN(e, RT_MAXSTR));
			return false;
		}
		return true;
	}
	uint32_t *region = d->scope == DS_GLOBAL ? (d->kind == DK_INT ? &e->gsize : &e->gbytes)
						 : (d->kind == DK_INT ? &e->lsize : &e->lbytes);
	v->off = *region;
	*region += v->size;
	return true;
}

bool
kern_layout(struct kernel_engine *e, struct why *why)
{
	const struct dobj *o = e->o;
	e->keys = calloc(o->nkeys + 1, sizeof *e->keys);
	e->vars = calloc(o->nvars + 1, sizeof *e->vars);
	e->aggs = calloc(o->naggs + 1, sizeof *e->aggs);
	/* This comes first, because destroy() closes everything that is not -1. */
	for (uint32_t i = 0; e->vars && i < o->nvars; i++)
		e->vars[i].map = -1;
	if (!e->keys || !e->vars || !e->aggs) {
		why_set(why, "out of memory");
		return false;
	}
	for (uint32_t i = 0; i < o->nvars; i++)
		if (!layout_var(e, i, why))
			return false;
	e->gscalars = e->gbytes;
	e->lscalars = e->lbytes;
	e->gsize += e->gbytes;
	e->lsize += e->lbytes;
	if (e->lsize > RT_IN(e, RT_LOCAL_MAX)) {
		why_set(why, "clause-local variables need %u bytes: the limit in the kernel is %u", e->lsize,
		    RT_IN(e, RT_LOCAL_MAX));
		return false;
	}
	for (uint32_t i = 0; i < o->naggs; i++) {
		struct kagg *a = &e->aggs[i];
		a->d = &o->aggs[i];
		a->nwords = aggval_words(a->d);
		a->key = a->d->key;
		a->nkeys = a->d->nkeys;
		if (!layout_keys(e, a->key, a->nkeys, i, &a->keybytes)) {
			why_set(why, "the key of @%s is over the limit of %u bytes: use a smaller strsize",
			    dobj_str(o, a->d->name), RT_IN(e, RT_KEY_MAX) - 64);
			return false;
		}
		if (a->keybytes == 0)
			a->keybytes = 8;
	}
	kern_aggs_layout(e);
	return true;
}

/* ---- making ---- */

static bool
failed(const char *what, struct why *why)
{
	if (errno == EPERM)
		sys_not_permitted(why);
	else
		why_set(why, "%s: %s%s", what, strerror(errno), errno == EMFILE ? " (ulimit -n)" : "");
	return false;
}

static uint32_t
entries(uint64_t bytes, uint64_t each)
{
	uint64_t n = bytes / (each ? each : 1);
	return n < MIN_ENTRIES ? MIN_ENTRIES : n > 1u << 24 ? 1u << 24 : (uint32_t)n;
}

static bool
make(struct kernel_engine *e, unsigned which, const struct map_def *d, struct why *why)
{
	e->maps[which] = sys_map_create(d);
	return e->maps[which] >= 0 || failed("a BPF map cannot be made", why);
}

static bool
make_vars(struct kernel_engine *e, struct why *why)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < e->o->nvars; i++)
		n += e->vars[i].assoc || e->vars[i].scope == DS_THREAD;
	for (uint32_t i = 0; i < e->o->nvars; i++) {
		struct kvar *v = &e->vars[i];
		if (!v->assoc && v->scope != DS_THREAD)
			continue;
		struct map_def d = {.type = BPF_MAP_TYPE_HASH,
		    .key = v->keybytes,
		    .value = v->size,
		    .entries = entries(e->conf.dynvarsize / n, v->keybytes + v->size + 48),
		    .name = "variable"};
		if ((v->map = sys_map_create(&d)) < 0)
			return failed("the map of a variable cannot be made", why);
	}
	return true;
}

/* The size of struct rt in the chosen runtime; its memory comes last. */
static uint32_t
state_size(const struct kernel_engine *e)
{
	uint32_t size = (uint32_t)offsetof(struct rt, mem) + RT_IN(e, RT_MEM + RT_SLACK);
	return (size + 7) & ~7u;
}

static bool
map_memory(struct kernel_engine *e, struct why *why)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	e->ctl_len = (sizeof(struct rt_ctl) + page - 1) & ~(page - 1);
	e->statestep = (state_size(e) + 7) & ~(size_t)7;
	e->states_len = (e->statestep * e->ncpus * RT_LEVELS + page - 1) & ~(page - 1);
	void *ctl = mmap(NULL, e->ctl_len, PROT_READ | PROT_WRITE, MAP_SHARED, e->maps[RT_M_CTL], 0);
	void *states = mmap(NULL, e->states_len, PROT_READ, MAP_SHARED, e->maps[RT_M_STATES], 0);
	void *pos = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, e->maps[RT_M_RING], 0);
	void *data = mmap(NULL, page + 2 * e->ring_size, PROT_READ, MAP_SHARED, e->maps[RT_M_RING], (off_t)page);
	e->ctl = ctl == MAP_FAILED ? NULL : ctl;
	e->states = states == MAP_FAILED ? NULL : states;
	e->ring_ctl = pos == MAP_FAILED ? NULL : pos;
	e->ring_data = data == MAP_FAILED ? NULL : data;
	return (e->ctl && e->states && e->ring_ctl && e->ring_data) || failed("BPF maps cannot be mapped", why);
}

static bool
map_fired(struct kernel_engine *e, struct why *why)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	e->fired_len = (e->nprobes + page) & ~(page - 1);
	void *fired = mmap(NULL, e->fired_len, PROT_READ, MAP_SHARED, e->maps[RT_M_FIRED], 0);
	e->fired = fired == MAP_FAILED ? NULL : fired;
	return e->fired || failed("a BPF map cannot be mapped", why);
}

bool
kern_maps(struct kernel_engine *e, struct why *why)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	e->ring_size = page;
	/* A record is larger there, and records of speculations are added. */
	while (e->ring_size < 3 * e->conf.bufsize * e->ncpus + (64 << 10) && e->ring_size < 1u << 30)
		e->ring_size *= 2;
	struct map_def states = {BPF_MAP_TYPE_ARRAY, 4, state_size(e), e->ncpus * RT_LEVELS, BPF_F_MMAPABLE, "states"};
	struct map_def ctl = {BPF_MAP_TYPE_ARRAY, 4, sizeof(struct rt_ctl), 1, BPF_F_MMAPABLE, "control"};
	struct map_def globals = {BPF_MAP_TYPE_ARRAY, 4, e->gsize + RT_IN(e, RT_SLACK), 1, 0, "globals"};
	struct map_def ring = {BPF_MAP_TYPE_RINGBUF, 0, 0, (uint32_t)e->ring_size, 0, "records"};
	struct map_def tok = {BPF_MAP_TYPE_HASH, 8, kern_up8(e->strsize), 1024, BPF_F_NO_PREALLOC, "strtok"};
	return make(e, RT_M_STATES, &states, why) && make(e, RT_M_CTL, &ctl, why) &&
	       make(e, RT_M_GLOBALS, &globals, why) && make(e, RT_M_RING, &ring, why) && make(e, RT_M_TOK, &tok, why) &&
	       (kern_aggs_make(e) || failed("the map of an aggregation cannot be made", why)) && make_vars(e, why) &&
	       map_memory(e, why);
}

/* ---- constants ---- */

static uint32_t
kern_const(struct kernel_engine *e, const void *bytes, size_t n, bool *ok)
{
	if (e->clen + n > e->ccap) {
		size_t cap = e->ccap ? e->ccap * 2 : 16 << 10;
		while (cap < e->clen + n)
			cap *= 2;
		char *bigger = realloc(e->cdata, cap);
		if (!bigger) {
			*ok = false;
			return 0;
		}
		e->cdata = bigger;
		e->ccap = cap;
	}
	if (bytes)
		memcpy(e->cdata + e->clen, bytes, n);
	else
		memset(e->cdata + e->clen, 0, n);
	e->clen += n;
	return (uint32_t)(e->clen - n);
}

/* Finds where the kernel keeps what built-in variables show. */
static bool
find_offsets(struct kernel_engine *e, struct why *why)
{
	static const struct {
		unsigned to;
		const char *type, *member;
	} wanted[] = {
	    {RT_C_TASK_PARENT, "task_struct", "real_parent"},
	    {RT_C_TASK_TGID, "task_struct", "tgid"},
	    {RT_C_TASK_LEADER, "task_struct", "group_leader"},
	    {RT_C_TASK_COMM, "task_struct", "comm"},
	    {RT_C_TASK_PID, "task_struct", "pid"},
	    {RT_C_TASK_START, "task_struct", "start_time"},
	    {RT_C_TASK_MM, "task_struct", "mm"},
	    {RT_C_MM_ARG_START, "mm_struct", "arg_start"},
	    {RT_C_MM_ARG_END, "mm_struct", "arg_end"},
	    {RT_C_TASK_SIGNAL, "task_struct", "signal"},
	    {RT_C_SIGNAL_THREADS, "signal_struct", "nr_threads"},
	    {RT_C_TASK_VTIME, "task_struct", "se.sum_exec_runtime"},
	    {RT_C_TASK_EXIT_CODE, "task_struct", "exit_code"},
	    {RT_C_SKB_HEAD, "sk_buff", "head"},
	    {RT_C_SKB_DATA, "sk_buff", "data"},
	    {RT_C_SKB_NET, "sk_buff", "network_header"},
	    {RT_C_SKB_PROTO, "sk_buff", "protocol"},
	    {RT_C_SKB_DEV, "sk_buff", "dev"},
	    {RT_C_SKB_SOCK, "sk_buff", "sk"},
	    {RT_C_TASK_FS, "task_struct", "fs"},
	    {RT_C_TASK_FILES, "task_struct", "files"},
	    {RT_C_FS_PWD, "fs_struct", "pwd"},
	    {RT_C_FS_ROOT, "fs_struct", "root"},
	    {RT_C_PATH_MNT, "path", "mnt"},
	    {RT_C_PATH_DENTRY, "path", "dentry"},
	    {RT_C_VFSMOUNT_ROOT, "vfsmount", "mnt_root"},
	    {RT_C_MOUNT_MNT, "mount", "mnt"},
	    {RT_C_MOUNT_PARENT, "mount", "mnt_parent"},
	    {RT_C_MOUNT_POINT, "mount", "mnt_mountpoint"},
	    {RT_C_DENTRY_PARENT, "dentry", "d_parent"},
	    {RT_C_DENTRY_NAME, "dentry", "d_name.name"},
	    {RT_C_DENTRY_LEN, "dentry", "d_name.len"},
	    {RT_C_DENTRY_SB, "dentry", "d_sb"},
	    {RT_C_DENTRY_INODE, "dentry", "d_inode"},
	    {RT_C_INODE_INO, "inode", "i_ino"},
	    {RT_C_SB_MAGIC, "super_block", "s_magic"},
	    {RT_C_SB_TYPE, "super_block", "s_type"},
	    {RT_C_FSTYPE_NAME, "file_system_type", "name"},
	    {RT_C_FILES_FDT, "files_struct", "fdt"},
	    {RT_C_FDT_MAX, "fdtable", "max_fds"},
	    {RT_C_FDT_FD, "fdtable", "fd"},
	    {RT_C_FILE_PATH, "file", "f_path"},
	    {RT_C_FILE_POS, "file", "f_pos"},
	    {RT_C_FILE_FLAGS, "file", "f_flags"},
	    {RT_C_REQ_BIO, "request", "bio"},
	    {RT_C_REQ_LEN, "request", "__data_len"},
	    {RT_C_REQ_FLAGS, "request", "cmd_flags"},
	    {RT_C_BIO_VEC, "bio", "bi_io_vec"},
	    {RT_C_BIO_INDEX, "bio", "bi_iter.bi_idx"},
	    {RT_C_PAGE_HEAD, "page", "compound_head"},
	    {RT_C_PAGE_MAPPING, "page", "mapping"},
	    {RT_C_MAPPING_HOST, "address_space", "host"},
	    {RT_C_INODE_MODE, "inode", "i_mode"},
	    {RT_C_TASK_PIDS, "task_struct", "pid_links"},
	    {RT_C_TASK_THREAD_PID, "task_struct", "thread_pid"},
	    {RT_C_PID_LEVEL, "pid", "level"},
	    {RT_C_PID_NUMBERS, "pid", "numbers"},
	    {RT_C_PID_TASKS, "pid", "tasks"},
	    {RT_C_NS_TREE, "pid_namespace", "idr.idr_rt.xa_head"},
	    {RT_C_NODE_SLOTS, "xa_node", "slots"},
	    {RT_C_TASK_PRIO, "task_struct", "prio"},
	    {RT_C_TASK_NORMAL_PRIO, "task_struct", "normal_prio"},
	    {RT_C_TASK_STATE, "task_struct", "__state"},
	    {RT_C_TASK_FLAGS, "task_struct", "flags"},
	    {RT_C_SIGNAL_PIDS, "signal_struct", "pids"},
	    {RT_C_SB_ROOT, "super_block", "s_root"},
	    {RT_C_SB_MOUNTS, "super_block", "s_mounts"},
	    {RT_C_MOUNT_NEXT, "mount", "mnt_next_for_sb"},
	    {RT_C_MOUNT_LINK, "mount", "mnt_instance"},
	    {RT_C_MOUNT_NS, "mount", "mnt_ns"},
	    {RT_C_TASK_NSPROXY, "task_struct", "nsproxy"},
	    {RT_C_NSPROXY_MNT, "nsproxy", "mnt_ns"},
	    {RT_C_MUTEX_OWNER, "mutex", "owner"},
	    {RT_C_RWSEM_COUNT, "rw_semaphore", "count"},
	    {RT_C_RWLOCK_CNTS, "qrwlock", "cnts"},
	    {RT_C_MM_START_STACK, "mm_struct", "start_stack"},
	    {RT_C_SIGNAL_TTY, "signal_struct", "tty"},
	    {RT_C_TTY_DRIVER, "tty_struct", "driver"},
	    {RT_C_TTY_INDEX, "tty_struct", "index"},
	    {RT_C_DRIVER_MAJOR, "tty_driver", "major"},
	    {RT_C_DRIVER_MINOR, "tty_driver", "minor_start"},
	    {RT_C_TASK_INFO_FLAGS, "task_struct", "thread_info.flags"},
	    {RT_C_TASK_POLICY, "task_struct", "policy"},
	    {RT_C_TASK_NCPUS, "task_struct", "nr_cpus_allowed"},
	};
	struct why reason;
	if (!(e->kernel_types = kbtf_open(NULL, &reason))) {
		why_set(why,
		    "this kernel does not tell its types (%s): erltrace needs one that was built with "
		    "CONFIG_DEBUG_INFO_BTF",
		    reason.text);
		return false;
	}
	for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++)
		e->consts[wanted[i].to] = kbtf_offset(e->kernel_types, wanted[i].type, wanted[i].member);
#define X(to, member) e->consts[RT_C_##to] = kbtf_offset(e->kernel_types, "task_struct", member);
	ARCH_THREAD_MEMBERS(X)
#undef X
	/* A real-time kernel's mutexes are another kind of lock with the same word in it. */
	if (e->consts[RT_C_MUTEX_OWNER] == UINT64_MAX)
		e->consts[RT_C_MUTEX_OWNER] = kbtf_offset(e->kernel_types, "mutex", "rtmutex.owner");
	/* A list of mounts whose heads are inside them, or (from Linux 6.18 on) a chain. */
	if (e->consts[RT_C_MOUNT_NEXT] == UINT64_MAX)
		e->consts[RT_C_MOUNT_NEXT] = 0;
	else
		e->consts[RT_C_MOUNT_LINK] = 0;
	e->consts[RT_C_PAGE_SWAPCACHE] = kbtf_enumerator(e->kernel_types, "pageflags", "PG_swapcache");
	e->consts[RT_C_REQ_SWAP] = kbtf_enumerator(e->kernel_types, "req_flag_bits", "__REQ_SWAP");
	return true;
}

bool
kern_uses_vtime(const struct kernel_engine *e)
{
	for (uint32_t i = 0; i < e->o->ncode; i++)
		if (e->o->code[i].op == DIF_LDBI && e->o->code[i].imm == DIF_BI_VTIMESTAMP)
			return true;
	return false;
}

/* Whether it shows stacks of processes. */
static bool
uses_ustack(const struct kernel_engine *e)
{
	bool any = false;
	for (uint32_t i = 0; i < e->o->nkeys; i++)
		any |= e->o->keys[i].kind == DK_USTACK || e->o->keys[i].kind == DK_JSTACK;
	for (uint32_t i = 0; i < e->o->nfields; i++)
		any |= e->o->fields[i].kind == DK_USTACK || e->o->fields[i].kind == DK_JSTACK;
	return any;
}

bool
kern_maps_start(struct kernel_engine *e, struct why *why)
{
	bool ok = true;
	uint32_t zero = 0;
	struct rt_probe *probes = calloc(e->nprobes + 1, sizeof *probes);
	kern_const(e, NULL, RT_IN(e, RT_ZEROES), &ok);
	e->consts[RT_C_STRS] = kern_const(e, e->o->strs, e->o->nstrs, &ok);
	e->consts[RT_C_NSTRS] = e->o->nstrs;
	for (uint32_t i = 0; ok && probes && i < e->nprobes; i++) {
		struct kprobe *k = &e->probes[i];
		char names[4][RT_NAMELEN];
		memset(names, 0, sizeof names);
		for (unsigned n = 0; n < 4; n++)
			snprintf(names[n], sizeof names[n], "%s", k->names[n]);
		probes[i] = (struct rt_probe){
		    .id = k->id, .kind = kern_kind(k->role), .names = kern_const(e, names, sizeof names, &ok)};
	}
	/* A read of a string may go a little further. */
	kern_const(e, NULL, RT_IN(e, RT_SLACK), &ok);
	if (!ok || !probes) {
		free(probes);
		why_set(why, "out of memory");
		return false;
	}
	e->consts[RT_C_STRSIZE] = e->strsize;
	e->consts[RT_C_SCRATCHSIZE] =
	    e->conf.scratchsize < RT_IN(e, RT_SCRATCH_MAX) ? e->conf.scratchsize & ~7ULL : RT_IN(e, RT_SCRATCH_MAX);
	e->consts[RT_C_LSIZE] = e->lbytes;
	e->consts[RT_C_GSIZE] = e->gbytes;
	e->consts[RT_C_WALL] = clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);
	e->consts[RT_C_DESTRUCTIVE] = e->conf.destructive;
	e->consts[RT_C_FILL] = e->conf.bufpolicy == BUF_FILL;
	e->consts[RT_C_BUFSIZE] = e->conf.bufsize;
	e->consts[RT_C_SPECSIZE] = e->conf.specsize;
	e->consts[RT_C_RESERVE] = e->end_reserve > e->conf.bufsize / 2 ? 0 : e->end_reserve;
	if (e->conf.bufpolicy == BUF_RING) {
		/* All records come out, and this process keeps the newest. */
		e->consts[RT_C_BUFSIZE] = e->ring_size;
		e->consts[RT_C_RESERVE] = 0;
	}
	if (!find_offsets(e, why)) {
		free(probes);
		return false;
	}
	struct map_def consts = {BPF_MAP_TYPE_ARRAY, 4, (uint32_t)e->clen, 1, BPF_F_RDONLY_PROG, "constants"};
	struct map_def pmap = {BPF_MAP_TYPE_ARRAY, 4, sizeof *probes, e->nprobes + 1, 0, "probes"};
	struct map_def vtimes = {BPF_MAP_TYPE_HASH, 8, 8, 32768, 0, "vtimes"};
	struct map_def vcpus = {BPF_MAP_TYPE_ARRAY, 4, sizeof(struct rt_vcpu), e->ncpus, 0, "vcpus"};
	struct map_def vms = {BPF_MAP_TYPE_HASH, 4, sizeof(struct rt_vm), RT_VMS, 0, "vms"};
	struct map_def rows = {BPF_MAP_TYPE_ARRAY, 4, sizeof(struct rt_row), RT_ROWS, BPF_F_MMAPABLE, "unwinding"};
	struct map_def fired = {BPF_MAP_TYPE_ARRAY, 4, e->nprobes + 1, 1, BPF_F_MMAPABLE, "fired"};
	ok = make(e, RT_M_CONSTS, &consts, why) && make(e, RT_M_PROBES, &pmap, why) &&
	     make(e, RT_M_FIRED, &fired, why) && map_fired(e, why);
	if (ok && uses_ustack(e))
		ok = make(e, RT_M_VMS, &vms, why) && make(e, RT_M_ROWS, &rows, why);
	if (ok && kern_uses_vtime(e))
		ok = make(e, RT_M_VTIMES, &vtimes, why) && make(e, RT_M_VCPUS, &vcpus, why);
	if (ok &&
	    (sys_map_update(e->maps[RT_M_CONSTS], &zero, e->cdata, 0) < 0 || sys_map_freeze(e->maps[RT_M_CONSTS]) < 0))
		ok = failed("the constants cannot be given to the kernel", why);
	for (uint32_t i = 0; ok && i < e->nprobes; i++)
		if (sys_map_update(e->maps[RT_M_PROBES], &i, &probes[i], 0) < 0)
			ok = failed("the probes cannot be given to the kernel", why);
	free(probes);
	free(e->cdata);
	e->cdata = NULL;
	return ok;
}
