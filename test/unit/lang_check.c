/* The checker: which programs it refuses and with which tag, and the types and values of expressions. */
#include "lang/check.h"
#include "lang/lang.h"
#include "lang/parse.h"
#include "lang/tags.h"
#include "gen/gen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

/* One handle and one compilation on it. */
struct world {
	struct opts opts;
	struct lang *lang;
	struct probes *probes;
	struct unit *unit;
	struct arena ar;
	struct diag diag;
	struct cc cc;
	jmp_buf fail;
	struct node *last; /* clause */
};

/* false: w->diag says why. */
static bool
run(struct world *w, const char *text, bool is_lib)
{
	w->cc.text = text;
	w->cc.len = strlen(text);
	w->cc.is_lib = is_lib;
	if (setjmp(w->fail))
		return false;
	struct parser *p = parse_open(&w->cc);
	for (struct node *n; (n = parse_top(p));) {
		for (struct node *next; n; n = next) {
			next = n->next;
			check_top(&w->cc, n);
			w->last = n;
		}
	}
	return true;
}

static void
open_world(struct world *w)
{
	memset(w, 0, sizeof *w);
	opts_init(&w->opts);
	w->lang = lang_new(&w->opts);
	w->probes = probes_new();
	w->unit = unit_new();
	assert_non_null(w->lang);
	assert_non_null(w->probes);
	ar_init(&w->ar, &w->fail);
	w->lang->ar.oom = &w->fail;
	w->cc = (struct cc){.lang = w->lang,
	    .unit = w->unit,
	    .probes = w->probes,
	    .opts = &w->opts,
	    .ar = &w->ar,
	    .fail = &w->fail,
	    .diag = &w->diag,
	    .file = "test.d",
	    .target = -1};
	assert_true(run(w, lang_builtin_d, true));
}

static void
close_world(struct world *w)
{
	diag_free(&w->diag);
	ar_free(&w->ar);
	lang_free(w->lang);
	unit_free(w->unit);
	probes_free(w->probes);
	opts_free(&w->opts);
}

struct row {
	const char *tag; /* NULL: the program is right */
	const char *text;
};

static unsigned failures;

static void
expect(const struct row *r)
{
	static struct world w;
	open_world(&w);
	bool ok = run(&w, r->text, false);
	const char *tag = ok ? NULL : w.diag.tag;
	bool same = r->tag ? tag && strcmp(tag, r->tag) == 0 : ok;
	if (!same) {
		fprintf(stderr, "%s\n\texpected %s, got %s: %s\n", r->text, r->tag ? r->tag : "no error",
		    ok    ? "no error"
		    : tag ? tag
			  : "no memory",
		    w.diag.msg ? w.diag.msg : "");
		failures++;
	}
	if (!ok && tag && !tag_known(tag)) {
		fprintf(stderr, "%s: unknown tag %s\n", r->text, tag);
		failures++;
	}
	close_world(&w);
}

#define B(body) "BEGIN { " body " }"

static const struct row names[] = {
    {NULL, B("x = 1; trace(x);")},
    {"D_IDENT_UNDEF", B("trace(x);")},
    {"D_IDENT_UNDEF", B("x = y;")},
    {"D_VAR_UNDEF", B("trace(self->x);")},
    {"D_VAR_UNDEF", B("trace(this->x);")},
    {"D_VAR_UNDEF", B("trace(a[1]);")},
    {"D_VAR_UNDEF", B("trace(self->a[1]);")},
    {"D_VAR_UNDEF", B("x += 1;")},
    {"D_VAR_UNDEF", B("self->x -= 1;")},
    {"D_VAR_UNDEF", B("a[1] += 1;")},
    {NULL, B("x++; self->x++; this->x++; a[1]++; self->b[\"k\"]--;")},
    {"D_VAR_UNDEF", B("x = x + 1;")},
    {"D_IDENT_BADREF", B("a[1] = 2; trace(a);")},
    {"D_IDENT_BADREF", B("trace(args);")},
    {"D_IDENT_BADREF", B("trace(fds);")},
    {"D_IDENT_BADREF", B("trace(count);")},
    {"D_DEREF_NONPTR", B("x = 1; x[1] = 2;")},
    {"D_ARR_LOCAL", B("this->a[1] = 2;")},
    {"D_ARR_BADREF", B("x = \"abc\"; trace(x[1, 2]);")},
    {"D_OP_WRITE", B("pid = 1;")},
    {"D_OP_WRITE", B("arg0 = 1;")},
    {"D_OP_WRITE", B("timestamp++;")},
    {"D_OP_WRITE", B("execname = \"x\";")},
    {"D_OP_WRITE", "inline int five = 5; " B("five = 6;")},
    {"D_OP_WRITE", B("EPERM = 2;")},
    {"D_OP_LVAL", B("1 = 2;")},
    {"D_OP_LVAL", B("x = 1; (x + 1) = 2;")},
    {"D_OP_LVAL", B("5++;")},
    {"D_OP_LVAL", B("x = 1; (x ? x : x) = 3;")},
    {NULL, B("trace(NULL); trace(EPERM); trace(SIGINT); trace(O_RDONLY); trace(R_RAX); trace(DTRACEFLT_DIVZERO);")},
    {NULL, "int x; int x; " B("x = 1;")},
    {"D_DECL_IDRED", "int x; string x;"},
    {"D_DECL_IDRED", "int x; int x[int];"},
    {"D_DECL_IDRED", "int a[int]; int a[string];"},
    {"D_DECL_IDRED", "int pid;"},
    {"D_DECL_IDRED", "int arg0;"},
    {"D_DECL_IDRED", "inline int x = 1; int x;"},
    {"D_DECL_IDRED", "int x; inline int x = 1;"},
    {"D_DECL_IDRED", "inline int count = 1;"},
    {"D_DECL_LOCASSC", "this int a[int];"},
    {"D_DECL_VOIDOBJ", "void x;"},
    {"D_DECL_INCOMPLETE", "struct never x;"},
    {NULL, "self string s; this int i; int a[string, int]; " B("self->s = \"x\"; this->i = 1; a[\"k\", 2] = 3;")},
    {NULL, "int a[10]; " B("a[3] = 1; trace(a[3]); a[3]++; a[2] += 5;")},
    {"D_ARR_BOUNDS", "int a[10]; " B("a[10] = 1;")},
    {"D_OP_ARRFUN", "int a[10]; int b[10]; " B("a = b;")},
    {NULL, "BEGIN /x++/ { trace(x); }"},
    {NULL, "BEGIN /x == 0/ { trace(x++); }"},
    {NULL, "BEGIN /self->x = 1/ { trace(self->x); }"},
    {"D_IDENT_UNDEF", "BEGIN /x++/ { trace(y); }"},
    {NULL, B("self->x = 1; self->x = 0;") " END { trace(self->x); }"},
    {"D_IDENT_UNDEF", B("trace(genunix`kmem_flags);")},
    {NULL, "enum e { ONE = 1, TWO }; " B("trace(ONE + TWO);")},
    {NULL, "enum e { ONE = 1, TWO }; enum e v; " B("trace(v == TWO);")},
    {"D_IDENT_AMBIG", "enum e { ONE = 1, TWO }; enum e v; inline int TWO = 7; " B("trace(v == TWO);")},
};

static const struct row keys[] = {
    {NULL, B("a[1, \"x\"] = 2; a[2, \"y\"] = 3; trace(a[1, \"x\"]);")},
    {"D_PROTO_LEN", B("a[1] = 2; a[1, 2] = 3;")},
    {"D_PROTO_LEN", "int a[int, int]; " B("a[1] = 2;")},
    {"D_PROTO_ARG", B("a[1] = 2; a[\"x\"] = 3;")},
    {"D_PROTO_ARG", B("a[\"x\"] = 2; a[1] = 3;")},
    {"D_PROTO_ARG", "int a[string]; " B("a[1] = 2;")},
    {"D_KEY_TYPE", B("a[trace(1)] = 2;")},
    {"D_KEY_TYPE", B("a[count()] = 2;")},
    {"D_CG_EXPR", B("a[stack()] = 2;")},
    {NULL, B("a[execname] = 1; a[probename] = 2; a[curpsinfo->pr_fname] = 3;")},
    {NULL, B("a[pid] = 1; a[timestamp] = 2; a[arg0] = 3;")},
    {"D_OP_INCOMPAT", B("a[1] = 1; a[2] = \"x\";")},
    {"D_PROTO_LEN", B("trace(args[0, 1]);")},
    {"D_PROTO_LEN", B("trace(fds[0, 1].fi_name);")},
    {"D_PROTO_ARG", B("trace(fds[\"x\"].fi_name);")},
    {"D_PROTO_ARG", B("x = 1; trace(args[x]);")},
    {"D_ARGS_IDX", B("trace(args[0]);")},
    {"D_ARGS_NONE", "inline int a0 = args[0];"},
    {"D_REGS_IDX", B("trace(uregs[-1]);")},
    {"D_REGS_IDX", B("trace(uregs[1000]);")},
    {"D_PROTO_ARG", B("x = 1; trace(uregs[x]);")},
    {NULL, B("trace(uregs[R_RSP]); trace(fds[0].fi_name); x = 3; trace(fds[x].fi_oflags & O_RDWR);")},
    {NULL, B("trace(curpsinfo->pr_psargs); trace(curlwpsinfo->pr_lwpid); trace(curcpu->cpu_id);")},
};

static const struct row operators[] = {
    {"D_OP_INCOMPAT", B("trace(\"x\" + \"y\");")},
    {"D_OP_ARITH", B("trace(-\"x\");")},
    {"D_OP_ARITH", B("trace(\"x\" * 2);")},
    {"D_OP_ARITH", B("trace(2 / execname);")},
    {"D_OP_INT", B("trace(~\"x\");")},
    {"D_OP_INT", B("trace(\"x\" & 1);")},
    {"D_OP_INT", B("trace(1 << \"x\");")},
    {"D_OP_INT", B("trace(\"x\" % 2);")},
    {"D_OP_SCALAR", B("trace(!\"x\");")},
    {"D_OP_SCALAR", B("trace(\"x\" && 1);")},
    {"D_OP_SCALAR", B("trace(1 || execname);")},
    {"D_OP_SCALAR", B("trace(\"x\" ? 1 : 2);")},
    {"D_OP_SCALAR", B("x = \"s\"; x++;")},
    {"D_OP_INCOMPAT", B("trace(1 == \"x\");")},
    {"D_OP_INCOMPAT", B("trace(\"x\" < 3);")},
    {"D_OP_INCOMPAT", B("trace(1 ? 1 : \"x\");")},
    {"D_OP_INCOMPAT", B("x = 1; x = \"s\";")},
    {"D_OP_INCOMPAT", B("x = \"s\"; x = 1;")},
    {"D_OP_INCOMPAT", B("x = \"s\"; x += \"t\";")},
    {"D_OP_INCOMPAT", B("x = trace(1);")},
    {"D_OP_INCOMPAT", B("x = stack();")},
    {"D_OP_INCOMPAT", B("x = count();")},
    {"D_OP_ARRFUN", B("x = curpsinfo->pr_psargs;")},
    {NULL, B("x = stringof(curpsinfo->pr_psargs);")},
    {NULL, B("trace(\"a\" == execname); trace(execname < \"b\"); trace(curpsinfo->pr_fname == \"x\");")},
    {NULL, B("self->s = \"x\"; self->s = 0; trace(self->s == NULL); trace(self->s != 0);")},
    {NULL, B("s = \"x\"; s = NULL;")},
    {NULL, B("trace(arg1 == NULL ? \"\" : copyinstr(arg1));")},
    {NULL, B("trace(1 ? \"a\" : \"b\"); trace(pid == 0 ? execname : \"b\");")},
    {"D_DEREF_NONPTR", B("trace(*1);")},
    {"D_DEREF_VOID", B("trace(*(void *)1);")},
    {"D_DEREF_FUNC", B("trace(*(int (*)(int))1);")},
    {NULL, B("trace(*(int *)arg0); trace(((char *)arg0)[3]);")},
    {"D_ADDROF_VAR", B("x = 1; trace(&x);")},
    {"D_ADDROF_VAR", B("@ = count(); trace(&@);")},
    {"D_ADDROF_VAR", B("trace(&pid);")},
    {"D_ADDROF_LVAL", B("trace(&1);")},
    {"D_ADDROF_BITFIELD", "struct s { int a:3; int b; }; struct s *p; " B("trace(&p->a);")},
    {NULL, "struct s { int a:3; int b; }; struct s *p; " B("trace(&p->b);")},
    {"D_OP_PTR", "struct s { int b; } v; " B("trace(v->b);")},
    {"D_OP_SOU", "struct s { int b; } *p; " B("trace(p.b);")},
    {"D_OP_SOU", B("x = 1; trace(x.b);")},
    {"D_OP_PTR", B("x = 1; trace(x->b);")},
    {"D_OP_SOU", "int *p; " B("trace(p->b);")},
    {"D_OP_INCOMPLETE", "struct never *p; " B("trace(p->b);")},
    {"D_TYPE_MEMBER", "struct s { int b; } v; " B("trace(v.c);")},
    {"D_TYPE_MEMBER", B("trace(curpsinfo->pr_nope);")},
    {NULL, "struct s { int b; struct { int c; }; } v; " B("v.b = 1; v.c = v.b; v.b++; trace(v.c);")},
    {"D_OP_VFPTR", "void *p; " B("p++;")},
    {"D_OP_VFPTR", "void *p; " B("p += 1;")},
    {"D_OP_INCOMPAT", "void *p; " B("trace(p + 1);")},
    {"D_OP_INCOMPAT", "int *p; " B("p = 5;")},
    {"D_OP_INCOMPAT", "int *p; char *q; " B("p = q;")},
    {"D_OP_INCOMPAT", "int *p; char *q; " B("trace(p == q);")},
    {"D_OP_INCOMPAT", "int *p; char *q; " B("trace(p - q);")},
    {"D_OP_INCOMPAT", "int *p; " B("trace(p == arg0);")},
    {NULL, "int *p; void *v; " B(
	       "p = 0; p = NULL; p = v; v = p; trace(p == v); trace(p - p); trace(p + 1); trace(1 + p); p++; p += 2;")},
    {NULL, "int *p; " B("p = alloca(8); *p = 1; p[1] = 2; trace(p[0]);")},
    {"D_OP_WRITE", B("*(int *)arg0 = 1;")},
    {"D_CAST_INVAL", "struct s { int b; } v; " B("trace((int)v);")},
    {"D_CAST_INVAL", B("trace((int)\"x\");")},
    {"D_CAST_INVAL", "struct s { int b; } v; " B("trace((struct s)1);")},
    {"D_CG_EXPR", B("(void)trace(1);")},
    {NULL, B("trace((string)arg0); trace((char)300); trace((void *)5); trace((int64_t)-1);")},
    {"D_DIV_ZERO", B("trace(1 / 0);")},
    {"D_DIV_ZERO", B("trace(1 % (2 - 2));")},
    {NULL, B("x = 0; trace(1 / x); trace(x / 0);")},
    {"D_OP_DYN", B("@ = count(); trace((1, @));")},
    {"D_OP_DYN", B("@ = count(); trace(1 ? @ : @);")},
    {"D_OP_ACT", B("(trace(1), 2);")},
    {"D_OP_ACT", B("(stack(), 2);")},
    {"D_OP_ACT", B("trace(pid ? stack() : stack());")},
    {NULL, "struct s { int a; } v; " B("self->t = v; self->t = 0; a[1] = v; a[1] = 0; self->s = \"x\"; self->s = 0;")},
    {"D_OP_INCOMPAT", "struct s { int a; } v; " B("v = 0;")},
    {NULL, "int a[int][4]; " B("a[1][2] = 3; a[1][9] = 3;")},
    {"D_OP_ACT", B("pid ? trace(1) : trace(2);")},
    {NULL, B("trace((1, 2)); x = (y = 3, y + 1);")},
    {"D_SIZEOF_TYPE", B("trace(sizeof (void));")},
    {"D_SIZEOF_TYPE", "struct never *p; " B("trace(sizeof (*p));")},
    {"D_SIZEOF_BITFIELD", "struct s { int a:3; } v; " B("trace(sizeof (v.a));")},
    {"D_STRINGOF_TYPE", "struct s { int a; } v; " B("trace(stringof(v));")},
    {NULL, B("trace(stringof(arg0)); trace(stringof((char *)arg0)); trace(stringof(\"x\"));")},
    {"D_OFFSETOF_TYPE", B("trace(offsetof(int, a));")},
    {"D_OFFSETOF_BITFIELD", "struct s { int a:3; }; " B("trace(offsetof(struct s, a));")},
    {"D_UNKNOWN", "struct s { int a; }; " B("trace(offsetof(struct s, b));")},
    {"D_PRED_SCALAR", "BEGIN /execname/ { }"},
    {"D_PRED_SCALAR", "BEGIN /trace(1)/ { }"},
    {"D_PRED_SCALAR", "BEGIN { if (execname) { trace(1); } }"},
    {NULL, "BEGIN /pid == 1 && execname == \"x\"/ { }"},
    {NULL, "struct s { int a; char b; } v, w; " B("v = w; x = v; x.a = 1; self->t = v; self->t.a = 2;")},
    {"D_OP_INCOMPAT", "struct s { int a; } v; struct t { int a; } w; " B("v = w;")},
};

static const struct row calls[] = {
    {"D_FUNC_UNDEF", B("nosuch(1);")},
    {"D_FUNC_UNDEF", B("trace(strlenn(\"x\"));")},
    {"D_FUNC_IDKIND", B("pid(1);")},
    {"D_FUNC_IDKIND", B("x = 1; x(1);")},
    {"D_FUNC_UNDEF", B("trace(msgsize(0));")},
    {NULL, B("trace(mutex_owned(0));")},
    {"D_PROTO_LEN", B("trace(mutex_owned());")},
    {"D_PROTO_ARG", B("trace(mutex_owned((struct s *)1));")},
    {"D_PROTO_ARG", B("trace(mutex_owned((struct rw_semaphore *)1));")},
    {"D_PROTO_ARG", B("trace(rw_read_held((struct mutex *)1));")},
    {"D_PROTO_ARG", B("trace(mutex_owner((struct spinlock *)1));")},
    {NULL, B("trace(mutex_type_spin((struct spinlock *)1));")},
    {"D_FUNC_UNDEF", B("breakpoint();")},
    {"D_FUNC_UNDEF", B("panic();")},
    {"D_FUNC_UNDEF", B("pcap(arg0, 1);")},
    {"D_PROTO_LEN", B("trace(strlen());")},
    {"D_PROTO_LEN", B("trace(strlen(\"a\", \"b\"));")},
    {"D_PROTO_LEN", B("trace(rand(1));")},
    {"D_PROTO_LEN", B("trace(substr(\"a\"));")},
    {"D_PROTO_LEN", B("trace(substr(\"a\", 1, 2, 3));")},
    {"D_PROTO_ARG", B("trace(strlen(1));")},
    {"D_PROTO_ARG", B("trace(substr(\"a\", \"b\"));")},
    {"D_PROTO_ARG", B("trace(copyinstr(\"x\"));")},
    {"D_PROTO_ARG", B("trace(strjoin(\"x\", 1));")},
    {NULL,
	B("trace(strlen(execname)); trace(substr(\"abc\", 1)); trace(substr(\"abc\", 1, 2)); trace(strtok(NULL, \",\"));")},
    {NULL, B("trace(strlen(curpsinfo->pr_psargs)); trace(lltostr(5)); trace(lltostr(5, 16)); trace(strtoll(\"12\"));")},
    {NULL,
	B("trace(htons(1)); trace(ntohll(2)); trace(basename(execname)); trace(index(\"a\", \"b\", 0)); trace(strchr(\"a\", 'a'));")},
    {NULL,
	B("p = copyin(arg0, 16); bcopy(p, p, 8); copyinto(arg0, 8, p); trace(inet_ntop(AF_INET, p)); trace(rand());")},
    {NULL, B("exit(0);")},
    {"D_PROTO_LEN", B("exit();")},
    {"D_PROTO_LEN", B("exit(1, 2);")},
    {"D_PROTO_ARG", B("exit(\"x\");")},
    {"D_PROTO_ARG", B("exit(trace(1));")},
    {"D_PROTO_LEN", B("trace();")},
    {"D_PROTO_LEN", B("trace(1, 2);")},
    {"D_TRACE_VOID", B("trace(trace(1));")},
    {"D_TRACE_VOID", B("trace(bcopy(alloca(1), alloca(1), 1));")},
    {"D_TRACE_DYN", B("@ = count(); trace(@);")},
    {"D_TRACE_DYN", B("trace(curpsinfo);")},
    {"D_PRINT_VOID", B("print(trace(1));")},
    {"D_PRINT_DYN", B("@ = count(); print(@);")},
    {NULL, "struct s { int a; } v; " B("trace(v); print(v); print(1); trace(\"x\"); trace(stack()); print(execname);")},
    {"D_PROTO_LEN", B("tracemem(arg0);")},
    {"D_TRACEMEM_ADDR", B("tracemem(\"x\", 10);")},
    {"D_TRACEMEM_SIZE", B("tracemem(arg0, 0);")},
    {"D_TRACEMEM_SIZE", B("tracemem(arg0, -1);")},
    {"D_TRACEMEM_SIZE", B("tracemem(arg0, arg1);")},
    {"D_PROTO_ARG", B("tracemem(arg0, \"x\");")},
    {"D_TRACEMEM_ARGS", B("tracemem(arg0, 1, 2, 3);")},
    {"D_TRACEMEM_DYNSIZE", B("tracemem(arg0, 1, \"x\");")},
    {NULL, B("tracemem(arg0, 64); tracemem((char *)arg0, 64, arg1);")},
    {"D_STACK_PROTO", B("stack(1, 2);")},
    {"D_STACK_SIZE", B("stack(\"x\");")},
    {"D_STACK_SIZE", B("stack(0);")},
    {"D_STACK_SIZE", B("stack(pid);")},
    {"D_USTACK_FRAMES", B("ustack(-1);")},
    {"D_USTACK_FRAMES", B("ustack(\"x\");")},
    {"D_USTACK_STRSIZE", B("ustack(1, -1);")},
    {"D_USTACK_STRSIZE", B("jstack(1, \"x\");")},
    {"D_USTACK_PROTO", B("ustack(1, 2, 3);")},
    {NULL, B("stack(); stack(5); ustack(); ustack(10); ustack(10, 100); jstack(5, 20);")},
    {NULL, B("sym(arg0); func(arg0); mod(arg0); usym(arg0); ufunc(arg0); umod(arg0); uaddr(arg0);")},
    {"D_PROTO_LEN", B("sym();")},
    {"D_PROTO_ARG", B("usym(\"x\");")},
    {NULL,
	B("setopt(\"quiet\"); setopt(\"aggrate\", \"1s\"); freopen(\"/tmp/%d\", pid); freopen(\"\"); ftruncate(); system(\"ls %s\", execname);")},
    {"D_PROTO_LEN", B("setopt();")},
    {"D_PROTO_LEN", B("setopt(\"a\", \"b\", \"c\");")},
    {"D_PROTO_ARG", B("setopt(1);")},
    {"D_PROTO_LEN", B("ftruncate(1);")},
    {"D_FREOPEN_INVALID", B("freopen(\".\");")},
    {NULL, B("raise(SIGINT); stop(); chill(500); copyout(alloca(1), arg0, 1); copyoutstr(\"x\", arg0, 2);")},
    {"D_PROTO_ARG", B("raise(\"x\");")},
    {"D_PROTO_LEN", B("chill();")},
    {NULL, B("alert(\"pid %d\", pid);")},
    {NULL, B("self->s = speculation(); speculate(self->s); trace(1);") " END { commit(self->s); discard(self->s); }"},
    {"D_COMM_COMM", B("commit(1); commit(2);")},
    {"D_COMM_DREC", B("trace(1); commit(1);")},
    {"D_SPEC_SPEC", B("speculate(1); speculate(1);")},
    {"D_SPEC_COMM", B("commit(1); speculate(1);")},
    {"D_SPEC_DREC", B("trace(1); speculate(1);")},
    {"D_DREC_COMM", B("commit(1); trace(1);")},
    {"D_AGG_COMM", B("commit(1); @ = count();")},
    {"D_AGG_SPEC", B("speculate(1); @ = count();")},
    {"D_ACT_SPEC", B("speculate(1); raise(1);")},
    {"D_ACT_SPEC", B("speculate(1); system(\"ls\");")},
    {"D_ACT_SPEC", B("speculate(1); panic();")},
    {"D_ACT_SPEC", B("speculate(1); breakpoint();")},
    {"D_EXIT_SPEC", B("speculate(1); exit(0);")},
    {"D_DREC_COMM", B("commit(1); exit(0);")},
    {NULL, B("if (pid) { trace(1); } commit(1);")},
};

static const struct row aggs[] = {
    {NULL, B("@ = count(); @a = sum(1); @b = avg(pid); @c = min(1); @d = max(2); @e = stddev(3); @f = quantize(4);")},
    {NULL, B("@[execname, pid, probefunc] = count(); @[\"x\", 1, \"y\"] = count();")},
    {NULL, B("@[stack()] = count(); @u[ustack(5)] = count(); @s[sym(arg0), usym(arg1), mod(arg0)] = count();")},
    {NULL,
	B("@ = lquantize(1, 0, 100); @ = lquantize(2, 0, 100, 1); @b = lquantize(1, 0, 100, 10, 2); @c = quantize(1, -1);")},
    {NULL, B("@ = llquantize(1, 10, 0, 6, 20); @b = llquantize(1, 10, 0, 6, 10, 5);")},
    {"D_AGG_FUNC", B("@ = 1;")},
    {"D_AGG_FUNC", B("@a[1] = trace(1);")},
    {"D_AGG_FUNC", B("@a[1] = breakpoint();")},
    {"D_AGG_FUNC", B("@a = strlen(\"x\");")},
    {"D_FUNC_UNDEF", B("@a = coount();")},
    {"D_AGG_REDEF", B("@a = count(); @a = sum(1);")},
    {"D_AGG_MDIM", B("@a[1][2] = count();")},
    {"D_IDENT_UNDEF", B("@a;")},
    {"D_AGG_NULL", B("@a[1];")},
    {"D_AGG_NULL", B("@a = count(); @a;")},
    {"D_CG_EXPR", B("avg(1);")},
    {"D_AGG_SCALAR", B("@ = sum(\"x\");")},
    {"D_PROTO_LEN", B("@ = avg();")},
    {"D_PROTO_LEN", B("@ = quantize();")},
    {"D_AGG_SCALAR", B("@ = lquantize(\"x\", 1, 2);")},
    {"D_PROTO_LEN", B("@ = count(1);")},
    {"D_PROTO_LEN", B("@ = sum(1, 2);")},
    {"D_PROTO_LEN", B("@ = quantize(1, 2, 3);")},
    {"D_PROTO_LEN", B("@ = lquantize(1, 0, 10, 1, 1, 1);")},
    {"D_PROTO_LEN", B("@ = llquantize(1, 10, 0, 6, 20, 1, 1);")},
    {"D_PROTO_ARG", B("@ = quantize(1, \"x\");")},
    {"D_PROTO_LEN", B("@a[1] = count(); @a = count();")},
    {"D_PROTO_LEN", B("@a[1] = count(); @a[1, 2] = count();")},
    {"D_PROTO_ARG", B("@a[1] = count(); @a[\"x\"] = count();")},
    {"D_KEY_TYPE", B("@a = count(); @b[@a] = count();")},
    {"D_KEY_TYPE", B("@b[trace(1)] = count();")},
    {"D_KEY_TYPE", B("@b[curpsinfo] = count();")},
    {"D_IDENT_UNDEF", B("@b[nosuch] = count();")},
    {"D_LQUANT_BASETYPE", B("@ = lquantize(1);")},
    {"D_LQUANT_BASETYPE", B("@ = lquantize(1, pid, 10);")},
    {"D_LQUANT_BASETYPE", B("@ = lquantize(1, \"x\", 10);")},
    {"D_LQUANT_BASEVAL", B("@ = lquantize(1, 2147483657, 10);")},
    {"D_LQUANT_LIMTYPE", B("@ = lquantize(1, 1, pid);")},
    {"D_LQUANT_LIMTYPE", B("@ = lquantize(1, 1);")},
    {"D_LQUANT_LIMVAL", B("@ = lquantize(1, 1, 2147483657);")},
    {"D_LQUANT_MISMATCH", B("@ = lquantize(1, 100, 1);")},
    {"D_LQUANT_STEPTYPE", B("@ = lquantize(1, 1, 100, pid);")},
    {"D_LQUANT_STEPTYPE", B("@ = lquantize(1, 1, 100, 0);")},
    {"D_LQUANT_STEPTYPE", B("@ = lquantize(1, 1, 100, -5);")},
    {"D_LQUANT_STEPVAL", B("@ = lquantize(1, 1, 100, 65536);")},
    {"D_LQUANT_STEPLARGE", B("@ = lquantize(1, 1, 100, 1000);")},
    {"D_LQUANT_STEPSMALL", B("@ = lquantize(1, 1, 1000000, 1);")},
    {"D_LQUANT_MATCHBASE", B("@ = lquantize(1, 1, 100); @ = lquantize(1, 2, 100);")},
    {"D_LQUANT_MATCHLIM", B("@ = lquantize(1, 1, 100); @ = lquantize(1, 1, 101);")},
    {"D_LQUANT_MATCHSTEP", B("@ = lquantize(1, 0, 100, 1); @ = lquantize(1, 0, 100, 2);")},
    {"D_LLQUANT_FACTORTYPE", B("@ = llquantize(1, pid, 0, 6, 10);")},
    {"D_LLQUANT_FACTORTYPE", B("@ = llquantize(1);")},
    {"D_LLQUANT_FACTORVAL", B("@ = llquantize(1, 65536, 0, 6, 10);")},
    {"D_LLQUANT_FACTORVAL", B("@ = llquantize(1, 1, 0, 6, 10);")},
    {"D_LLQUANT_LMAGTYPE", B("@ = llquantize(1, 10, pid, 6, 10);")},
    {"D_LLQUANT_LMAGVAL", B("@ = llquantize(1, 10, -1, 6, 10);")},
    {"D_LLQUANT_HMAGTYPE", B("@ = llquantize(1, 10, 0, pid, 10);")},
    {"D_LLQUANT_HMAGVAL", B("@ = llquantize(1, 10, 5, 4, 10);")},
    {"D_LLQUANT_HMAGVAL", B("@ = llquantize(1, 10, 0, 100, 10);")},
    {"D_LLQUANT_STEPTYPE", B("@ = llquantize(1, 10, 0, 6, pid);")},
    {"D_LLQUANT_STEPTYPE", B("@ = llquantize(1, 10, 0, 6, 0);")},
    {"D_LLQUANT_STEPVAL", B("@ = llquantize(1, 10, 0, 6, 65536);")},
    {"D_LLQUANT_STEPVAL", B("@ = llquantize(1, 10, 0, 6, 3);")},
    {"D_LLQUANT_STEPVAL", B("@ = llquantize(1, 10, 0, 6, 15);")},
    {"D_LLQUANT_STEPVAL", B("@ = llquantize(1, 10, 0, 6, 30);")},
    {"D_LLQUANT_MATCHFACTOR", B("@ = llquantize(1, 10, 0, 6, 10); @ = llquantize(1, 20, 0, 6, 20);")},
    {"D_LLQUANT_MATCHLMAG", B("@ = llquantize(1, 10, 0, 6, 10); @ = llquantize(1, 10, 1, 6, 10);")},
    {"D_LLQUANT_MATCHHMAG", B("@ = llquantize(1, 10, 0, 6, 10); @ = llquantize(1, 10, 0, 5, 10);")},
    {"D_LLQUANT_MATCHSTEPS", B("@ = llquantize(1, 10, 0, 6, 10); @ = llquantize(1, 10, 0, 6, 20);")},
    {NULL,
	B("@a[1] = count(); clear(@a); trunc(@a); trunc(@a, 5); trunc(@a, -pid); normalize(@a, 10); denormalize(@a); printa(@a);")},
    {"D_CLEAR_PROTO", B("clear();")},
    {"D_CLEAR_PROTO", B("@a = count(); clear(@a, 1);")},
    {"D_CLEAR_AGGARG", B("clear(1);")},
    {"D_CLEAR_AGGBAD", B("clear(@a[1]);")},
    {"D_IDENT_UNDEF", B("clear(@a);")},
    {"D_TRUNC_PROTO", B("trunc();")},
    {"D_TRUNC_PROTO", B("@a = count(); trunc(@a, 1, 2);")},
    {"D_TRUNC_AGGARG", B("trunc(1);")},
    {"D_TRUNC_SCALAR", B("@a = count(); trunc(@a, \"x\");")},
    {"D_TRUNC_AGGBAD", B("trunc(@b[1]);")},
    {"D_NORMALIZE_PROTO", B("@a = count(); normalize(@a);")},
    {"D_NORMALIZE_PROTO", B("@a = count(); denormalize(@a, 1);")},
    {"D_NORMALIZE_AGGARG", B("normalize(1, 2);")},
    {"D_NORMALIZE_SCALAR", B("@a = count(); normalize(@a, \"x\");")},
    {"D_NORMALIZE_AGGBAD", B("normalize(@b[1], 2);")},
};

static const struct row formats[] = {
    {NULL, B("printf(\"hello\\n\"); printf(\"%d %s %x\\n\", pid, execname, timestamp); printf(\"100%%\");")},
    {NULL,
	B("printf(\"%-10s|%+5d|%05d|%#x|% d|%'d|%.3s|%*d|%-*.*s\", \"a\", 1, 2, 3, 4, 5, \"b\", 6, 7, 8, 9, \"c\");")},
    {NULL,
	B("printf(\"%a %A %c %C %p %S %T %Y %u %i %o %X\", arg0, arg1, 'x', 'y', arg0, \"s\", walltimestamp, walltimestamp, 1, 2, 3, 4);")},
    {NULL, B("printf(\"%k %k\", stack(), ustack()); printf(\"%a %A\", sym(arg0), usym(arg0));")},
    {NULL, B("printf(\"%hd %ld %lld %hhd %lx %llu %jd %zu\", (short)1, 1L, 1LL, (char)1, 1L, 1ULL, 1L, 1L);")},
    {NULL, B("printf(\"%s\", curpsinfo->pr_psargs); printf(\"%?x\", arg0);")},
    {"D_PROTO_LEN", B("printf();")},
    {"D_PRINTF_ARG_FMT", B("printf(123);")},
    {"D_PRINTF_ARG_FMT", B("printf(execname);")},
    {"D_PRINTF_FMT_EMPTY", B("printf(\"\");")},
    {"D_PRINTF_ARG_EXTRA", B("printf(\"x\", 1);")},
    {"D_PRINTF_ARG_EXTRA", B("printf(\"%d\", 1, 2);")},
    {"D_PRINTF_ARG_PROTO", B("printf(\"%d\");")},
    {"D_PRINTF_ARG_PROTO", B("printf(\"%d %d\", 1);")},
    {"D_PRINTF_ARG_PROTO", B("printf(\"%*d\", 1);")},
    {"D_PRINTF_DYN_PROTO", B("printf(\"%*d\");")},
    {"D_PRINTF_DYN_PROTO", B("printf(\"%.*d\");")},
    {"D_PRINTF_DYN_PROTO", B("printf(\"%*.*d\", 1);")},
    {"D_PRINTF_DYN_TYPE", B("printf(\"%*d\", \"x\", 1);")},
    {"D_PRINTF_DYN_TYPE", B("printf(\"%.*d\", \"x\", 1);")},
    {"D_PRINTF_ARG_TYPE", B("printf(\"%d\", \"x\");")},
    {"D_PRINTF_ARG_TYPE", B("printf(\"%s\", 1);")},
    {"D_PRINTF_ARG_TYPE", B("printf(\"%s\", (char *)arg0);")},
    {"D_PRINTF_ARG_TYPE", B("printf(\"%c\", \"x\");")},
    {"D_PRINTF_ARG_TYPE", B("printf(\"%c\", timestamp);")},
    {"D_PRINTF_ARG_TYPE", B("printf(\"%f\", 1);")},
    {"D_PRINTF_ARG_TYPE", B("printf(\"%k\", 1);")},
    {"D_PRINTF_ARG_TYPE", B("printf(\"%Y\", 1);")},
    {"D_PRINTF_ARG_TYPE", B("printf(\"%hd\", 1);")},
    {"D_PRINTF_ARG_TYPE", B("printf(\"%d\", trace(1));")},
    {"D_PRINTF_ARG_TYPE", B("printf(\"%d\", printf(\"x\"));")},
    {"D_PRINTF_ARG_TYPE", B("@ = count(); printf(\"%d\", @);")},
    {"D_PRINTF_AGG_CONV", B("printf(\"%@d\", 1);")},
    {"D_SYNTAX", B("printf(\"%\");")},
    {"D_SYNTAX", B("printf(\"%5\", 1);")},
    {"D_SYNTAX", B("printf(\"%5%\", 1);")},
    {"D_SYNTAX", B("printf(\"%v\", 1);")},
    {"D_SYNTAX", B("printf(\"%1$d\", 1);")},
    {"D_SYNTAX", B("printf(\"%5.5.5d\", 1);")},
    {"D_SYNTAX", B("printf(\"%**d\", 1);")},
    {"D_SYNTAX", B("printf(\"%99999999999d\", 1);")},
    {NULL,
	B("@[execname, pid] = count(); printa(@); printa(\"%s %d %@d\\n\", @); printa(\"%@u %@d\", @); printa(\"%s\", @);")},
    {NULL, B("@a[1] = count(); @b[2] = sum(1); printa(@a, @b); printa(\"%d %@d %@d\\n\", @a, @b);")},
    {NULL, B("@[stack()] = quantize(1); printa(\"%k%@d\", @);")},
    {"D_PROTO_LEN", B("printa();")},
    {"D_PRINTA_PROTO", B("printa(\"x\");")},
    {"D_PRINTA_AGGARG", B("printa(1);")},
    {"D_PRINTA_AGGARG", B("printa(\"%d\", 1);")},
    {"D_PRINTA_AGGARG", B("@a = count(); printa(@a, 1);")},
    {"D_PRINTA_AGGBAD", B("printa(@a[1]);")},
    {"D_IDENT_UNDEF", B("printa(@a);")},
    {"D_PRINTA_AGGKEY", B("@a[1] = count(); @b[1, 2] = count(); printa(@a, @b);")},
    {"D_PRINTA_AGGPROTO", B("@a[1] = count(); @b[\"x\"] = count(); printa(@a, @b);")},
    {"D_PRINTF_ARG_PROTO", B("@a[1] = count(); printa(\"%d %d\", @a);")},
    {"D_PRINTF_ARG_TYPE", B("@a[1] = count(); printa(\"%s\", @a);")},
    {"D_PRINTF_ARG_TYPE", B("@a[1] = count(); printa(\"%@s\", @a);")},
};

#define S "struct in { int a; int b; }; struct out { int x; string s; int y; }; struct in *p; "
static const struct row inlines[] = {
    {NULL, "inline int five = 5; " B("trace(five); x = five + 1;")},
    {NULL, "inline string hi = \"x\"; " B("trace(hi == \"x\");")},
    {NULL, "inline int dbl[int v] = v * 2; " B("trace(dbl[3]);")},
    {"D_PROTO_LEN", "inline int dbl[int v] = v * 2; " B("trace(dbl[3, 4]);")},
    {"D_PROTO_ARG", "inline int dbl[int v] = v * 2; " B("trace(dbl[\"x\"]);")},
    {"D_IDENT_BADREF", "inline int dbl[int v] = v * 2; " B("trace(dbl);")},
    {"D_OP_INCOMPAT", "inline int x = \"s\";"},
    {"D_OP_INCOMPAT", "inline string x = 5;"},
    {"D_IDENT_UNDEF", "inline int x = x + 1;"},
    {"D_DECL_IDRED", "inline int x = 1; inline int x = 2;"},
    {NULL, S "translator struct out < struct in *i > { x = i->a; s = \"q\"; }; " B(
	       "trace(xlate <struct out> (p).x); trace(xlate <struct out *> (p)->s);")},
    {NULL, S "translator struct out < struct in *i > { x = i->a; s = \"q\"; }; " B(
	       "v = xlate <struct out> (p); trace(v.x);")},
    {NULL,
	S "translator struct out < struct in *i > { x = i->a; }; inline struct out *tr = xlate <struct out *> (p); " B(
	    "trace(tr->x);")},
    {"D_XLATE_NOCONV",
	S "translator struct out < struct in *i > { x = i->a; }; " B("trace(xlate <struct out> (p).y);")},
    {"D_TYPE_MEMBER", S "translator struct out < struct in *i > { x = i->a; }; " B("trace(xlate <struct out> (p).z);")},
    {"D_XLATE_NONE", S B("trace(xlate <struct out> (p).y);")},
    {"D_XLATE_REDECL", S
	"translator struct out < struct in *i > { x = i->a; }; translator struct out < struct in *j > { x = j->b; };"},
    {"D_XLATE_SOU", S "translator int < struct in *i > { x = i->a; };"},
    {"D_XLATE_MEMB", S "translator struct out < struct in *i > { q = i->a; };"},
    {"D_XLATE_INCOMPAT", S "translator struct out < struct in *i > { x = \"s\"; };"},
    {"D_TRACE_DYN", S "translator struct out < struct in *i > { x = i->a; }; " B("trace(xlate <struct out> (p));")},
    {"D_UNKNOWN",
	"inline int a = pid + pid; inline int b = a + a; inline int c = b + b; inline int d = c + c; inline int e = d + d;"
	"inline int f = e + e; inline int g = f + f; inline int h = g + g; inline int i = h + h; inline int j = i + i;"
	"inline int k = j + j; inline int l = k + k; inline int m = l + l; inline int n = m + m; inline int o = n + n;"
	"inline int q = o + o; inline int r = q + q; inline int s = r + r; inline int t = s + s; inline int u = t + t;"},
};

static const struct row probes[] = {
    {NULL, "dtrace:::BEGIN { } END { } ERROR { } tick-1s { } profile-97 { }"},
    {"D_PDESC_ZERO", "BEGGIN { }"},
    {"D_PDESC_ZERO", "nosuch:a:b:c { }"},
    {NULL, "BEGIN, END { trace(probename); }"},
};

static void
check_rows(const struct row *rows, size_t n)
{
	failures = 0;
	for (size_t i = 0; i < n; i++)
		expect(&rows[i]);
	assert_int_equal(failures, 0);
}

#define TABLE(name) \
	static void test_##name(void **state) \
	{ \
		(void)state; \
		check_rows(name, sizeof name / sizeof name[0]); \
	}
TABLE(names)
TABLE(keys)
TABLE(operators)
TABLE(calls)
TABLE(aggs)
TABLE(formats)
TABLE(inlines)
TABLE(probes)

/* Expressions: the type, and the value when it is constant. */
static const struct {
	const char *expr, *type;
	bool is_const;
	int64_t value;
} exprs[] = {
    {"1", "int", true, 1},
    {"1 + 2 * 3", "int", true, 7},
    {"2147483647 + 1", "int", true, 2147483648},
    {"4294967295u + 1", "unsigned int", true, 4294967296},
    {"1 + 1L", "long", true, 2},
    {"-1 < 1u", "int", true, 0},
    {"-1 < 1", "int", true, 1},
    {"-1L < 1u", "int", true, 1},
    {"(char)200", "char", true, -56},
    {"(unsigned char)200 + 100", "int", true, 300},
    {"(char)100 + (char)100", "char", true, 200},
    {"(short)-1 >> 1", "short", true, -1},
    {"-1 >> 63", "int", true, -1},
    {"-1u >> 4", "unsigned int", true, 1152921504606846975},
    {"-7 / 2", "int", true, -3},
    {"-7 % 2", "int", true, -1},
    {"7u / 2u", "unsigned int", true, 3},
    {"-7 / 2u", "unsigned int", true, 9223372036854775804},
    {"1L << 64", "long", true, 1},
    {"1L << 63", "long", true, INT64_MIN},
    {"(int64_t)0x8000000000000000 / -1", "int64_t", true, INT64_MIN},
    {"(int64_t)0x8000000000000000 % -1", "int64_t", true, 0},
    {"~0", "int", true, -1},
    {"~0u", "unsigned int", true, -1},
    {"!5", "int", true, 0},
    {"!0", "int", true, 1},
    {"+'a'", "int", true, 97},
    {"5 && 0", "int", true, 0},
    {"5 ^^ 0", "int", true, 1},
    {"5 ^^ 3", "int", true, 0},
    {"0 || 3", "int", true, 1},
    {"6 & 3", "int", true, 2},
    {"6 ^ 3", "int", true, 5},
    {"6 | 3", "int", true, 7},
    {"1 ? 2 : 3L", "long", true, 2},
    {"0 ? -1 : 3u", "unsigned int", true, 3},
    {"sizeof (int)", "size_t", true, 4},
    {"sizeof (\"abc\")", "size_t", true, 4},
    {"sizeof (string)", "size_t", true, 256},
    {"NULL == 0", "int", true, 1},
    {"(void *)0 == NULL", "int", true, 1},
    {"pid", "pid_t", false, 0},
    {"pid + 1", "pid_t", false, 0},
    {"timestamp - 1", "uint64_t", false, 0},
    {"timestamp > 1", "int", false, 0},
    {"arg0", "int64_t", false, 0},
    {"arg0 + 1u", "int64_t", false, 0},
    {"execname", "string", false, 0},
    {"execname == \"x\"", "int", false, 0},
    {"pid ? \"a\" : \"b\"", "string", false, 0},
    {"stringof(arg0)", "string", false, 0},
    {"strlen(execname)", "size_t", false, 0},
    {"curpsinfo->pr_pid", "int", false, 0},
    {"*(uint16_t *)arg0", "uint16_t", false, 0},
    {"(uint16_t *)arg0 + 1", "uint16_t *", false, 0},
    {"(int *)arg0 - (int *)arg1", "ptrdiff_t", false, 0},
    {"-*(char *)arg0", "char", false, 0},
    {"*(char *)arg0 << 3", "char", false, 0},
    {"((char *)arg0)[2]", "char", false, 0},
    {"execname[0]", "char", false, 0},
    {"fds[0].fi_offset", "int64_t", false, 0},
};

static void
test_exprs(void **state)
{
	(void)state;
	unsigned wrong = 0;
	for (size_t i = 0; i < sizeof exprs / sizeof exprs[0]; i++) {
		static struct world w;
		char text[256];
		open_world(&w);
		snprintf(text, sizeof text, "BEGIN { trace(%s); }", exprs[i].expr);
		if (!run(&w, text, false)) {
			fprintf(stderr, "%s: %s %s\n", exprs[i].expr, w.diag.tag, w.diag.msg);
			wrong++;
			close_world(&w);
			continue;
		}
		const struct node *v = w.last->u.clause.body->u.op.a->u.call.args;
		const char *type = type_text(&w.ar, v->type);
		bool is_const = v->kind == N_INT;
		if (strcmp(type, exprs[i].type) != 0 || is_const != exprs[i].is_const ||
		    (is_const && v->u.num != exprs[i].value)) {
			fprintf(stderr, "%s: type %s, %s %lld; expected %s, %lld\n", exprs[i].expr, type,
			    is_const ? "constant" : "not constant", is_const ? (long long)v->u.num : 0, exprs[i].type,
			    (long long)exprs[i].value);
			wrong++;
		}
		close_world(&w);
	}
	assert_int_equal(wrong, 0);
}

/* Hints name what was probably meant. */
static void
test_hints(void **state)
{
	(void)state;
	static const struct {
		const char *text, *hint;
	} rows[] = {
	    {B("trace(timestmp);"), "timestamp"},
	    {B("elapsed = 1; trace(elapssed);"), "elapsed"},
	    {B("self->start = 1; trace(start);"), "self->start"},
	    {B("self->start = 1; trace(self->strat);"), "self->start"},
	    {B("pritnf(\"x\");"), "printf"},
	    {B("@ = quantise(1);"), "quantize"},
	    {B("trace(curpsinfo->pr_fnam);"), "pr_fname"},
	    {B("@total = count(); printa(@totl);"), "@total"},
	    {"BEGGIN { }", "BEGIN"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		static struct world w;
		open_world(&w);
		assert_false(run(&w, rows[i].text, false));
		if (!w.diag.hint || !strstr(w.diag.hint, rows[i].hint))
			fail_msg("%s: %s: hint is %s", rows[i].text, w.diag.msg, w.diag.hint ? w.diag.hint : "missing");
		close_world(&w);
	}
}

/* A failed program leaves nothing behind; what earlier ones defined stays. */
static void
test_undo(void **state)
{
	(void)state;
	static struct world w;
	open_world(&w);
	assert_true(run(&w, "int keep; " B("keep = 1; @k[1] = count();"), false));
	struct dvar *v = sm_gets(&w.lang->globals, "keep");
	struct lang_mark m = lang_mark(w.lang);
	v->has_id = true; /* as the generator does */
	v->id = 0;
	assert_false(run(&w, B("gone = 1; self->gone = 2; @gone = sum(1); trace(nosuch);"), false));
	lang_undo(w.lang, m);
	assert_false(v->has_id);
	assert_ptr_equal(sm_gets(&w.lang->globals, "keep"), v);
	assert_null(sm_gets(&w.lang->globals, "gone"));
	assert_null(sm_gets(&w.lang->selfs, "gone"));
	assert_null(sm_gets(&w.lang->aggs, "gone"));
	assert_non_null(sm_gets(&w.lang->aggs, "k"));
	diag_free(&w.diag);
	memset(&w.diag, 0, sizeof w.diag);
	assert_true(run(&w, B("gone = \"now a string\"; trace(keep);"), false));
	close_world(&w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_names),
	    cmocka_unit_test(test_keys),
	    cmocka_unit_test(test_operators),
	    cmocka_unit_test(test_calls),
	    cmocka_unit_test(test_aggs),
	    cmocka_unit_test(test_formats),
	    cmocka_unit_test(test_inlines),
	    cmocka_unit_test(test_probes),
	    cmocka_unit_test(test_exprs),
	    cmocka_unit_test(test_hints),
	    cmocka_unit_test(test_undo),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
