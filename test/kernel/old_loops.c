/*
 * Linux before about 6.2 refuses code whose loops are entered in the middle, so that an instruction that does not jump
 * leads back into the loop ("back-edge"). Compilers may make such loops. So this walks the runtime's functions as those
 * kernels do, and finds such a loop without needing one of them.
 */
#include "engine/kernel/kern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FALLTHROUGH = 1, BRANCH = 2, DISCOVERED = 0x10, EXPLORED = 0x20 };

struct walk {
	const char *name;
	uint8_t *state;
	uint32_t *stack, depth, n;
	unsigned bad;
};

/* Goes on to instruction `to`. Returns false if there is nothing new. */
static bool
push(struct walk *w, uint32_t from, int64_t to, uint8_t edge, bool jumps)
{
	if (w->state[from] >= (DISCOVERED | edge) || to < 0 || to >= w->n)
		return false;
	w->state[from] = DISCOVERED | edge;
	if (w->state[to] == 0) {
		w->state[to] = DISCOVERED;
		w->stack[w->depth++] = (uint32_t)to;
		return true;
	}
	if ((w->state[to] & 0xf0) == DISCOVERED && !jumps) {
		fprintf(stderr, "%s: back-edge from instruction %u to %lld\n", w->name, from, (long long)to);
		w->bad++;
	}
	return false;
}

static bool
step(struct walk *w, const struct bpf_insn *insns, uint32_t at)
{
	const struct bpf_insn *in = &insns[at];
	unsigned class = BPF_CLASS(in->code), op = BPF_OP(in->code);
	bool jump = class == BPF_JMP || class == BPF_JMP32;
	if (jump && op == BPF_EXIT)
		return false;
	if (!jump || op == BPF_CALL)
		return push(w, at, (int64_t)at + 1, FALLTHROUGH, false);
	if (op == BPF_JA)
		return push(w, at, (int64_t)at + 1 + in->off, FALLTHROUGH, true);
	return push(w, at, (int64_t)at + 1, FALLTHROUGH, true) || push(w, at, (int64_t)at + 1 + in->off, BRANCH, true);
}

static unsigned
look_at(const struct rt_image *im, const struct image_func *f)
{
	struct walk w = {.name = f->name, .n = f->n};
	w.state = calloc(f->n + 1, sizeof *w.state);
	w.stack = calloc(f->n + 1, sizeof *w.stack);
	if (!w.state || !w.stack)
		abort();
	w.state[0] = DISCOVERED;
	w.stack[w.depth++] = 0;
	while (w.depth) {
		uint32_t at = w.stack[w.depth - 1];
		if (!step(&w, im->text + f->start, at)) {
			w.state[at] = EXPLORED;
			w.depth--;
		}
	}
	free(w.state);
	free(w.stack);
	return w.bad;
}

/* Such a loop must be found: 0: goto 2; 1: r0 = 0; 2: if r0 goto 1; 3: exit. */
static bool
finds_one(void)
{
	const struct bpf_insn loop[] = {{.code = BPF_JMP | BPF_JA, .off = 1}, {.code = BPF_ALU64 | BPF_MOV | BPF_K},
	    {.code = BPF_JMP | BPF_JEQ | BPF_K, .off = -2}, {.code = BPF_JMP | BPF_EXIT}};
	const struct rt_image im = {.text = loop, .ntext = 4};
	const struct image_func f = {.name = "(the loop that should be found)", .n = 4};
	return look_at(&im, &f) == 1;
}

/* Of one of the two runtimes; see rt.h. */
static bool
is_good(bool big)
{
	struct rt_image im;
	struct why why;
	unsigned bad = 0;
	if (!image_open(&im, big, &why)) {
		fprintf(stderr, "%s\n", why.text);
		return false;
	}
	for (uint32_t i = 0; i < im.nfuncs; i++)
		bad += look_at(&im, &im.funcs[i]);
	fprintf(stderr, "%u functions, %u loops that old kernels refuse\n", im.nfuncs, bad);
	bool ok = im.nfuncs > 50 && bad == 0;
	image_close(&im);
	return ok;
}

int
main(void)
{
	return finds_one() && is_good(false) && is_good(true) ? 0 : 1;
}
