/*
 * Erlang VMs, for the part of the runtime that walks their stacks (rt/rt_erlang.bpf.h): where their code is, and the
 * unwinding data of the files that they map. VMs that map the same file share its rows. What does not fit is left out;
 * a stack ends where it leads to such code.
 */
#include "engine/kernel/kern.h"
#include "engine/kernel/kernel.h"
#include "sym/syms.h"
#include "sym/unwind.h"

#include <string.h>
#include <sys/mman.h>

_Static_assert((int)SYM_VM_SPANS == (int)RT_VM_SPANS, "both know the same of a VM");
_Static_assert((int)SYM_VM_FILES == (int)RT_VM_FILES, "both know the same of a VM");
_Static_assert(sizeof(struct unwind_row) == sizeof(struct rt_row) && sizeof(struct rt_row) % 8 == 0,
    "rows are copied, and the kernel's arrays have elements of whole words");
_Static_assert((int)UNWIND_SP == (int)RT_ROW_SP && (int)UNWIND_FP == (int)RT_ROW_FP &&
		   (int)UNWIND_END == (int)RT_ROW_END && (int)UNWIND_LOST == (int)RT_ROW_LOST &&
		   (int)UNWIND_PLT == (int)RT_ROW_PLT && (int)UNWIND_BASE_BITS == (int)RT_ROW_BASE_BITS,
    "they mean the same");

/* Returns the first row of a file, or RT_ROWS if there is no room. */
static uint32_t
add_rows(struct kernel_engine *e, const struct sym_code *f)
{
	for (unsigned i = 0; i < e->nunwound; i++)
		if (e->unwound[i].dev == f->dev && e->unwound[i].ino == f->ino && e->unwound[i].n == f->nrows)
			return e->unwound[i].first;
	uint32_t first = e->nrows;
	size_t len = RT_ROWS * sizeof(struct rt_row);
	if (e->nunwound == KERN_UNWOUND || f->nrows > RT_ROWS - first)
		return RT_ROWS;
	char *rows = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, e->maps[RT_M_ROWS], 0);
	if (rows == MAP_FAILED)
		return RT_ROWS;
	memcpy(rows + first * sizeof(struct rt_row), f->rows, f->nrows * sizeof(struct rt_row));
	munmap(rows, len);
	e->nrows += (uint32_t)f->nrows;
	e->unwound[e->nunwound++] = (struct kunwound){f->dev, f->ino, first, (uint32_t)f->nrows};
	return first;
}

void
kern_know_vm(struct engine *engine, int64_t pid, const struct sym_vm *vm, const struct sym_code *files, unsigned nfiles)
{
	struct kernel_engine *e = kernel_of(engine);
	struct rt_vm to = {.normal_exit = vm->normal_exit,
	    .scheduling = {vm->scheduling.start, vm->scheduling.end - vm->scheduling.start}};
	uint32_t key = (uint32_t)pid;
	if (e->maps[RT_M_VMS] < 0)
		return;
	for (unsigned i = 0; i < RT_VM_SPANS; i++)
		to.spans[i] = (struct rt_span){vm->spans[i].start, vm->spans[i].end - vm->spans[i].start};
	for (unsigned i = 0; i < nfiles && to.nfiles < RT_VM_FILES; i++) {
		const struct sym_code *f = &files[i];
		uint32_t first = add_rows(e, f);
		if (first < RT_ROWS)
			to.files[to.nfiles++] =
			    (struct rt_code){{f->start, f->end - f->start}, f->base, first, (uint32_t)f->nrows};
	}
	/* If there are too many VMs, stacks of the others are walked like those of other processes. */
	sys_map_update(e->maps[RT_M_VMS], &key, &to, 0);
}
