/* The verifier: a sane object passes; each rule, broken alone, is noticed and named. */
#include "object.h"

#include "object/aggval.h"
#include "object/builtin.h"
#include "object/subr.h"

#include <stdio.h>

static struct dobj o;

/* Breaks the object, sees it refused for the reason, and gets a whole one again. */
#define REFUSED(reason, ...) \
	do { \
		struct why why_ = {""}; \
		__VA_ARGS__; \
		if (dobj_verify(&o, &why_)) \
			fail_msg("line %d: passed, expected: %s", __LINE__, reason); \
		if (!strstr(why_.text, reason)) \
			fail_msg("line %d: %s, expected: %s", __LINE__, why_.text, reason); \
		dobj_free(&o); \
		compile_to(&o, rich_source); \
	} while (0)

static int
setup(void **state)
{
	(void)state;
	struct why why = {""};
	compile_to(&o, rich_source);
	if (!dobj_verify(&o, &why))
		fail_msg("%s", why.text);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	dobj_free(&o);
	return 0;
}

/* The first instruction of this kind. */
static struct dif_insn *
insn(enum dif_op op)
{
	for (uint32_t i = 0; i < o.ncode; i++)
		if (o.code[i].op == op)
			return &o.code[i];
	fail_msg("no instruction %d", op);
	return NULL;
}

static struct dobj_var *
var(enum dobj_scope scope, int kind, int assoc)
{
	for (uint32_t i = 0; i < o.nvars; i++)
		if (o.vars[i].scope == scope && o.vars[i].kind == kind && o.vars[i].assoc == assoc)
			return &o.vars[i];
	fail_msg("no variable %d %d %d", scope, kind, assoc);
	return NULL;
}

static struct dobj_agg *
agg(enum agg_fn fn)
{
	for (uint32_t i = 0; i < o.naggs; i++)
		if (o.aggs[i].fn == fn)
			return &o.aggs[i];
	fail_msg("no aggregation %d", fn);
	return NULL;
}

static struct dobj_act *
act(enum dobj_action kind)
{
	for (uint32_t i = 0; i < o.nacts; i++)
		if (o.acts[i].kind == kind)
			return &o.acts[i];
	fail_msg("no action %d", kind);
	return NULL;
}

static struct dobj_type *
type(enum dobj_typekind kind)
{
	for (uint32_t i = 0; i < o.ntypes; i++)
		if (o.types[i].kind == kind)
			return &o.types[i];
	fail_msg("no type %d", kind);
	return NULL;
}

static void
test_strings(void **state)
{
	(void)state;
	REFUSED("string table", o.nstrs = 0);
	REFUSED("string table", o.strs[0] = 'x');
	REFUSED("string table", o.strs[o.nstrs - 1] = 'x');
	REFUSED("variable 0", o.vars[0].name = o.nstrs);
	REFUSED("aggregation 0", o.aggs[0].name = DOBJ_NONE);
	REFUSED("probe description 0", o.pdescs[0].mod = o.nstrs);
	REFUSED("option 0", o.opts[0].name = o.nstrs);
	REFUSED("option 1", o.opts[1].value = o.nstrs);
	REFUSED("clause 0", o.clauses[0].file = o.nstrs);
	REFUSED("type 0", o.types[0].name = o.nstrs);
	REFUSED("member 0", o.members[0].name = o.nstrs);
	REFUSED("format", act(DA_PRINTF)->fmt = o.nstrs);
	REFUSED("register or string", insn(DIF_LDS)->imm = (int32_t)o.nstrs);
}

static void
test_variables(void **state)
{
	(void)state;
	REFUSED("not sane", o.vars[0].scope = 3);
	REFUSED("not sane", o.vars[0].kind = DK_STACK);
	REFUSED("not sane", o.vars[0].kind = DK_NONE);
	REFUSED("not sane", var(DS_GLOBAL, DK_INT, 0)->size = 3);
	REFUSED("not sane", var(DS_GLOBAL, DK_STRING, 0)->size = 8);
	REFUSED("not sane", var(DS_GLOBAL, DK_BYTES, 0)->size = 0);
	REFUSED("not sane", var(DS_GLOBAL, DK_BYTES, 0)->size = 65537);
	REFUSED("not sane", o.vars[0].is_signed = 2);
	REFUSED("sane keys", o.vars[0].nkeys = 1);
	REFUSED("sane keys", o.vars[0].assoc = 2);
	REFUSED("sane keys", var(DS_GLOBAL, DK_BYTES, 1)->nkeys = 0);
	REFUSED("sane keys", var(DS_GLOBAL, DK_BYTES, 1)->nkeys = DOBJ_MAXKEYS + 1);
	REFUSED("sane keys", var(DS_GLOBAL, DK_BYTES, 1)->key = o.nkeys);
	REFUSED("sane keys", var(DS_GLOBAL, DK_BYTES, 1)->key = UINT32_MAX);
	REFUSED("sane keys", var(DS_GLOBAL, DK_BYTES, 1)->scope = DS_LOCAL);
	REFUSED("only aggregations", var(DS_GLOBAL, DK_BYTES, 1)->key = agg(AGG_QUANTIZE)->key + 1);
	REFUSED("key 0", o.keys[0].kind = DK_NKINDS);
	REFUSED("key 0", o.keys[0].kind = DK_BYTES; o.keys[0].size = 0);
	REFUSED("key 0", o.keys[0].type = o.ntypes);
	REFUSED("size of its type", o.keys[0].type = 0);
	REFUSED("key", o.keys[agg(AGG_QUANTIZE)->key + 2].arg = 100000);
}

static void
test_aggregations(void **state)
{
	(void)state;
	REFUSED("aggregation", o.aggs[0].fn = AGG_NFNS);
	REFUSED("aggregation", agg(AGG_LQUANTIZE)->par[2] = 0);
	REFUSED("aggregation", agg(AGG_LQUANTIZE)->par[1] = INT64_MAX);
	REFUSED("aggregation", agg(AGG_LLQUANTIZE)->par[3] = 7);
	REFUSED("sane keys", o.aggs[0].nkeys = DOBJ_MAXKEYS + 1);
	REFUSED("sane keys", o.aggs[0].key = UINT32_MAX);
	REFUSED("no such aggregation", insn(DIF_AGG)->imm = (int32_t)o.naggs);
	REFUSED("no such aggregation", insn(DIF_AGG)->imm = -1);
	REFUSED("slots", insn(DIF_AGG)->rs = 63);
	REFUSED("register", insn(DIF_AGG)->rd = DIF_NREGS);
	REFUSED("register", insn(DIF_AGG)->rt = DIF_NREGS);
}

static void
test_types(void **state)
{
	(void)state;
	struct dobj_type *t;
	REFUSED("not sane", o.types[0].kind = DT_FUNC + 1);
	REFUSED("not sane", o.types[0].is_signed = 2);
	REFUSED("size of a number", type(DT_INT)->size = 3);
	REFUSED("size of a pointer", type(DT_PTR)->size = 4);
	REFUSED("refers", type(DT_INT)->ref = 0);
	REFUSED("lower row", t = type(DT_ARRAY); t->ref = (uint32_t)(t - o.types));
	REFUSED("lower row", type(DT_ARRAY)->ref = DOBJ_NONE);
	REFUSED("fit in its size", type(DT_ARRAY)->nelems = 9);
	REFUSED("fit in its size", type(DT_ARRAY)->nelems = UINT32_MAX);
	REFUSED("sane members", type(DT_INT)->nmembers = 1);
	REFUSED("sane members", type(DT_STRUCT)->nmembers = UINT32_MAX);
	REFUSED("sane members", type(DT_STRUCT)->member = 1);
	REFUSED("does not fit", t = type(DT_STRUCT); o.members[t->member].type = (uint32_t)(t - o.types));
	REFUSED("does not fit", o.members[type(DT_STRUCT)->member].offset = UINT32_MAX - 7);
	REFUSED("does not fit", o.members[type(DT_STRUCT)->member].offset = 3);
	REFUSED("does not fit", o.members[type(DT_STRUCT)->member].bits = 65);
	REFUSED("does not fit", o.members[type(DT_ENUM)->member].type = 0);
	REFUSED("belong to no type", o.nmembers++; o.members = realloc(o.members, o.nmembers * sizeof *o.members);
		o.members[o.nmembers - 1] = o.members[0]);
}

static void
test_actions(void **state)
{
	(void)state;
	REFUSED("no known kind", o.acts[0].kind = DA_NACTIONS);
	REFUSED("format", act(DA_PRINTF)->fmt = DOBJ_NONE);
	REFUSED("format", act(DA_TRACE)->fmt = 0);
	REFUSED("sane fields", act(DA_TRACE)->nfields = 0);
	REFUSED("sane fields", act(DA_TRACE)->field = 1000);
	REFUSED("sane fields", act(DA_PRINTF)->nfields = UINT32_MAX);
	REFUSED("sane aggregations", act(DA_PRINTA)->naggs = 0);
	REFUSED("sane aggregations", act(DA_CLEAR)->agg = 1000);
	REFUSED("sane aggregations", act(DA_TRACE)->naggs = 1);
	REFUSED("no such aggregation", o.agglist[0] = o.naggs);
	REFUSED("wrong kind", act(DA_STACK)->kind = DA_USTACK);
	REFUSED("wrong kind", o.fields[act(DA_TRACEMEM)->field].kind = DK_INT;
		o.fields[act(DA_TRACEMEM)->field].size = 8);
	REFUSED("without a type", o.fields[act(DA_PRINT)->field].type = DOBJ_NONE);
	REFUSED("size of its type", o.fields[act(DA_PRINT)->field].size = 8);
	REFUSED("field 0", o.fields[0].kind = DK_NONE);
	REFUSED("field 0", o.fields[0].size = 5);
	REFUSED("field 0", o.fields[0].type = o.ntypes);
	REFUSED("group 0", o.groups[0].records = 2);
	REFUSED("group 0", o.groups[0].records = 0);
	REFUSED("group 0", o.groups[0].act = 1);
	REFUSED("group 0", o.groups[0].nacts = UINT32_MAX);
	REFUSED("group 0", o.groups[0].nfields++);
	REFUSED("group 1", o.groups[0].nacts--; o.groups[0].nfields -= o.acts[o.groups[0].nacts].nfields);
}

static void
test_clauses(void **state)
{
	(void)state;
	struct dobj_clause *c = NULL;
	REFUSED("does not follow", o.clauses[1].code++);
	REFUSED("does not follow", o.clauses[1].group++);
	REFUSED("does not follow", o.clauses[1].pdesc = 0);
	REFUSED("does not follow", o.clauses[0].ncode = UINT32_MAX);
	REFUSED("empty", o.clauses[0].npdescs = 0);
	REFUSED("empty", o.clauses[0].ngroups = 0);
	REFUSED("empty", o.clauses[0].ncode = 0);
	REFUSED("not sane", o.clauses[0].nslots = DIF_NSLOTS + 1);
	REFUSED("not sane", o.clauses[0].flags = 32);
	REFUSED("belong to no clause", o.nclauses--);
	REFUSED("not marked as destructive",
		for (uint32_t i = 0; i < o.nclauses; i++) if (o.clauses[i].flags & DC_DESTRUCTIVE) c = &o.clauses[i];
		c->flags = 0);
	REFUSED("not marked as speculating",
		for (uint32_t i = 0; i < o.nclauses; i++) if (o.clauses[i].flags & DC_SPECULATES) c = &o.clauses[i];
		c->flags = 0);
	REFUSED("not marked as committing",
		for (uint32_t i = 0; i < o.nclauses; i++) if (o.clauses[i].flags & DC_COMMITS) c = &o.clauses[i];
		c->flags = 0);
	REFUSED("line 1", o.lines[0].pc = o.lines[1].pc + 1);
	REFUSED("line 1", o.lines[1].group = o.ngroups);
	REFUSED("line", o.lines[o.nlines - 1].pc = o.ncode + 1);
}

static void
test_code(void **state)
{
	(void)state;
	REFUSED("no such operation", o.code[3].op = DIF_NOPS);
	REFUSED("does not end", o.code[o.clauses[0].ncode - 1].op = DIF_NOP);
	REFUSED("register", insn(DIF_MOVI)->rd = 8);
	REFUSED("register", insn(DIF_ADDI)->rs = 255);
	REFUSED("register", insn(DIF_BEQ)->rt = 8);
	/* Nothing hides in fields that are not used. */
	REFUSED("does not use", *insn(DIF_BEQ) = (struct dif_insn){DIF_BA, 0, 255, 0, insn(DIF_BEQ)->imm});
	REFUSED("does not use", *insn(DIF_BEQ) = (struct dif_insn){DIF_NOP, 1, 0, 0, 0});
	REFUSED("does not use", *insn(DIF_BEQ) = (struct dif_insn){DIF_NOP, 0, 0, 1, 0});
	REFUSED("does not use", *insn(DIF_BEQ) = (struct dif_insn){DIF_NOP, 0, 0, 0, 1});
	REFUSED("does not use", insn(DIF_BZ)->rt = 1);
	REFUSED("register", insn(DIF_BZ)->rs = 8);
	REFUSED("integer", insn(DIF_LDK)->imm = (int32_t)o.nints);
	REFUSED("integer", insn(DIF_LDK)->imm = -1);
	REFUSED("argument", insn(DIF_LDARG)->imm = DIF_NARGS);
	REFUSED("argument", insn(DIF_LDARG)->imm = -1);
	REFUSED("built-in variable", insn(DIF_LDBI)->imm = DIF_NBUILTINS);
	REFUSED("built-in variable", insn(DIF_LDBI)->imm = DIF_BI_FDS);
	REFUSED("built-in array", insn(DIF_LDBIA)->imm = DIF_BI_PID);
	REFUSED("length", insn(DIF_STRCPY)->imm = 0);
	REFUSED("length", insn(DIF_STRCPY)->imm = 65537);
	REFUSED("slot", insn(DIF_STSL)->imm = (int32_t)o.clauses[0].nslots);
	REFUSED("slot", insn(DIF_STSL)->imm = -1);
	REFUSED("slot", o.clauses[0].nslots = 1);
	REFUSED("not a bit-field", insn(DIF_BFI)->imm = 0);
	REFUSED("not a bit-field", insn(DIF_BFI)->imm = 60 | 5 << 8);
	REFUSED("not a bit-field", insn(DIF_BFI)->imm = 1 << 17 | 1 << 8);
	REFUSED("not a width", *insn(DIF_MOVI) = (struct dif_insn){DIF_EXT, 0, 0, 0, 24});
	REFUSED("not a width", *insn(DIF_MOVI) = (struct dif_insn){DIF_EXT, 0, 0, 0, INT32_MIN});
	REFUSED("fault", *insn(DIF_MOVI) = (struct dif_insn){DIF_FAULT, 0, 0, 0, 13});
}

static void
test_operands_of_variables(void **state)
{
	(void)state;
	REFUSED("no such variable", insn(DIF_LDG)->imm = (int32_t)o.nvars);
	REFUSED("no such variable", insn(DIF_STG)->imm = -1);
	REFUSED("of this kind", insn(DIF_LDG)->op = DIF_LDGA);
	REFUSED("of this kind", insn(DIF_LDGA)->op = DIF_LDG);
	REFUSED("of this kind", insn(DIF_LDG)->op = DIF_LDL);
	REFUSED("of this kind", insn(DIF_LDG)->op = DIF_LDT);
	REFUSED("of this kind", insn(DIF_LDT)->op = DIF_LDA);
	REFUSED("of this kind", insn(DIF_LDA)->op = DIF_LDT);
	REFUSED("of this kind", insn(DIF_LDLA)->op = DIF_LDGA);
	REFUSED("slots", insn(DIF_LDA)->rs = 63);
	REFUSED("slots", insn(DIF_STA)->rt = 63);
}

static void
test_calls(void **state)
{
	(void)state;
	REFUSED("no such subroutine", insn(DIF_CALL)->imm = DIF_NSUBRS);
	REFUSED("no such subroutine", insn(DIF_CALL)->imm = -1);
	REFUSED("number of operands", insn(DIF_CALL)->rt = 0);
	REFUSED("number of operands", insn(DIF_CALL)->rt = 255);
	REFUSED("slots", insn(DIF_CALL)->rs = 255);
	REFUSED("slots", *insn(DIF_CALL) = (struct dif_insn){DIF_CALL, 0, 200, 0, DIF_SUBR_RAND});
	REFUSED("no meaning here", *insn(DIF_CALL) = (struct dif_insn){DIF_CALL, 0, 0, 1, DIF_SUBR_MSGSIZE});
	REFUSED("no meaning here", *insn(DIF_CALL) = (struct dif_insn){DIF_CALL, 0, 0, 0, DIF_SUBR_PANIC});
	REFUSED("destructive", *insn(DIF_CALL) = (struct dif_insn){DIF_CALL, 0, 0, 0, DIF_SUBR_STOP});
	REFUSED("destructive", *insn(DIF_CALL) = (struct dif_insn){DIF_CALL, 0, 0, 1, DIF_SUBR_RAISE});
}

static void
test_branches(void **state)
{
	(void)state;
	REFUSED("not an instruction after it", insn(DIF_BZ)->imm = 0);
	REFUSED("not an instruction after it", insn(DIF_BZ)->imm = -1);
	REFUSED("not an instruction after it", insn(DIF_BZ)->imm = (int32_t)(insn(DIF_BZ) - o.code));
	REFUSED("not an instruction after it", insn(DIF_BEQ)->imm = (int32_t)o.clauses[0].ncode);
	/* Into the record. */
	REFUSED("a record", insn(DIF_BEQ)->imm = (int32_t)(insn(DIF_RECB) - o.code) + 1);
	REFUSED("a record", insn(DIF_BEQ)->imm = (int32_t)(insn(DIF_RECE) - o.code));
	/* Over a field, and out of the record. */
	REFUSED(
	    "a record", *(insn(DIF_RECB) + 1) = (struct dif_insn){DIF_BA, 0, 0, 0, (int32_t)(insn(DIF_RECE) - o.code)});
	REFUSED("a record",
	    *(insn(DIF_RECB) + 1) = (struct dif_insn){DIF_BA, 0, 0, 0, (int32_t)(insn(DIF_RECE) - o.code) + 1});
}

static void
test_records(void **state)
{
	(void)state;
	REFUSED("no such group", insn(DIF_RECB)->imm = 1);
	REFUSED("no such group", insn(DIF_RECB)->imm = -1);
	REFUSED("no record is open", insn(DIF_RECB)->op = DIF_NOP);
	REFUSED("a record is open", *(insn(DIF_RECB) + 1) = *insn(DIF_RECB));
	REFUSED("next field", insn(DIF_REC)->imm = 1);
	REFUSED("next field", insn(DIF_REC)->imm = -1);
	REFUSED("not complete", struct dif_insn *i = insn(DIF_RECE); while (i->op != DIF_REC) i--;
		*i = (struct dif_insn){DIF_NOP, 0, 0, 0, 0});
	REFUSED("next field", *insn(DIF_REC) = (struct dif_insn){DIF_NOP, 0, 0, 0, 0});
	REFUSED("is open", insn(DIF_RECE)->op = DIF_NOP);
	REFUSED("register", insn(DIF_REC)->rs = 8);
	/* END with the record open. */
	REFUSED("a record is open", (insn(DIF_RECB) + 1)->op = DIF_END);
}

static void
test_conditions(void **state)
{
	(void)state;
	REFUSED("condition 0 is not sane", o.conds[0].agg = o.naggs);
	REFUSED("condition 0 is not sane", o.conds[0].fn = 1000);
	REFUSED("condition 0 is not sane", o.conds[0].fn = 5); /* max( ) of a distribution */
	REFUSED("condition 0 is not sane", o.conds[0].op = 4);
	REFUSED("condition 0 is not sane", o.conds[0].percent = 10001);
	REFUSED("does not have sane times", o.conds[0].window = 0);
	REFUSED("does not have sane times", o.conds[0].hold = UINT64_MAX);
	REFUSED("does not have sane times", o.conds[0].div = 0);
	REFUSED("does not have sane texts", o.conds[0].text = o.nstrs);
	REFUSED("does not have sane texts", o.conds[0].fmt = o.nstrs);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_strings, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_variables, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_aggregations, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_types, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_actions, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_clauses, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_code, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_operands_of_variables, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_calls, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_branches, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_records, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_conditions, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
