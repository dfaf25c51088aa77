/*
 * mutex_owned() and its relatives: functions that look into locks of the kernel. Linux has several kinds of lock with
 * different layouts, so the type of the pointer tells which one is meant. A pointer to void means struct mutex, or
 * struct rw_semaphore for the rw_ functions.
 */
#include "lang/check_priv.h"

#include <string.h>

static const struct {
	const char *name; /* of the structure, or of the typedef if the structure has no tag */
	enum lock_kind kind;
} locks[] = {
    {"mutex", LOCK_MUTEX},
    {"spinlock", LOCK_SPIN},
    {"raw_spinlock", LOCK_SPIN},
    {"qspinlock", LOCK_SPIN},
    {"rw_semaphore", LOCK_RWSEM},
    {"rwlock_t", LOCK_RWLOCK},
    {"qrwlock", LOCK_RWLOCK},
};

/* Returns -1 if it is not a known lock. */
static int
kind_of(const struct type *t)
{
	for (; t; t = t->kind == T_TYPEDEF ? t->ref : NULL)
		for (unsigned i = 0; t->name && i < sizeof locks / sizeof *locks; i++)
			if (strcmp(t->name, locks[i].name) == 0)
				return (int)locks[i].kind;
	return -1;
}

void
ck_lock(struct cc *cc, struct node *n, enum dif_subr subr)
{
	struct node *lock = n->u.call.args;
	const char *name = n->u.call.name;
	bool is_rw = subr == DIF_SUBR_RW_ISWRITER || subr == DIF_SUBR_RW_READ_HELD || subr == DIF_SUBR_RW_WRITE_HELD;
	const struct type *p = type_base(lock->type), *to = p->kind == T_PTR ? p->ref : NULL;
	int kind = is_rw ? LOCK_RWSEM : LOCK_MUTEX;
	if (to && type_base((struct type *)to)->kind != T_VOID)
		kind = kind_of(to);
	if (kind < 0 || is_rw != (kind == LOCK_RWSEM || kind == LOCK_RWLOCK))
		cc_error(cc, lock->pos, "D_PROTO_ARG",
		    "%s( ) argument #1 is incompatible with its prototype: '%s' expected, '%s' given", name,
		    is_rw ? "struct rw_semaphore *' or 'rwlock_t *" : "struct mutex *", ck_nname(cc, lock));
	if (kind == LOCK_SPIN && (subr == DIF_SUBR_MUTEX_OWNED || subr == DIF_SUBR_MUTEX_OWNER))
		cc_error(cc, lock->pos, "D_PROTO_ARG",
		    "%s( ) is about a struct mutex: a spinlock of Linux does not say who has it", name);
	lock->next = ck_int(cc, n->pos, ck_type_int(cc), kind);
}
