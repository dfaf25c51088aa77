/*
 * Erlang terms, from D source to records, without Erlang: a probe with arguments
 * of type term, and a provider of terms that are rows of a table.
 */
#include "lang.h"

#include "base/sbuf.h"
#include "engine/engine.h"

enum kind { ATOM, INT, BINARY, TUPLE, LIST, MAP };

/* Parts of TUPLE and LIST are rows; of MAP keys and values in turn. */
static const struct row {
	enum kind kind;
	const char *text;  /* as Erlang writes it */
	const char *bytes; /* ATOM, BINARY */
	int64_t num;
	unsigned n, part[4];
} rows[] = {
    {TUPLE, "{ok,42,<<\"book\">>}", NULL, 0, 3, {1, 2, 3}},
    {ATOM, "ok", "ok", 0, 0, {0}},
    {INT, "42", NULL, 42, 0, {0}},
    {BINARY, "<<\"book\">>", "book", 0, 0, {0}},
    {LIST, "[42,'Odd one']", NULL, 0, 2, {2, 5}},
    {ATOM, "'Odd one'", "Odd one", 0, 0, {0}},
    {LIST, "['Odd one']", NULL, 0, 1, {5}},
    {MAP, "#{ok => 42,42 => ok}", NULL, 0, 2, {1, 2, 2, 1}},
    {INT, "-7", NULL, -7, 0, {0}},
};
enum { NROWS = sizeof rows / sizeof *rows, ROW_TAIL = 6 };

static uint64_t
address(unsigned row)
{
	return DIF_ADDR(DIF_R_TERM, (uint64_t)(row + 1) << 16);
}

static int
query(struct firing *f, struct term_query *q)
{
	(void)f;
	uint64_t i = (DIF_OFFSET(q->term) >> 16) - 1;
	if (DIF_REGION(q->term) != DIF_R_TERM || i >= NROWS)
		return DIF_FAULT_BADADDR;
	const struct row *t = &rows[i];
	switch (q->op) {
	case DIF_SUBR_TERM_TEXT:
		assert_true(q->most > 1);
		q->mem = t->text;
		q->len = strlen(t->text) + 1;
		return 0;
	case DIF_SUBR_TERM_ATOM:
	case DIF_SUBR_TERM_BINARY:
		if (t->kind != (q->op == DIF_SUBR_TERM_ATOM ? ATOM : BINARY))
			return DIF_FAULT_ILLOP;
		q->mem = t->bytes;
		q->len = strlen(t->bytes);
		return 0;
	case DIF_SUBR_TERM_IS_ATOM:
		q->result = t->kind == ATOM;
		return 0;
	case DIF_SUBR_TERM_IS_TUPLE:
		q->result = t->kind == TUPLE;
		return 0;
	case DIF_SUBR_TERM_INT:
		q->result = (uint64_t)t->num;
		return t->kind == INT ? 0 : DIF_FAULT_ILLOP;
	case DIF_SUBR_TERM_LENGTH:
	case DIF_SUBR_TERM_TUPLE_SIZE:
		q->result = t->n;
		return 0;
	case DIF_SUBR_TERM_ELEMENT:
		if (t->kind != TUPLE)
			return DIF_FAULT_ILLOP;
		if (q->num < 1 || q->num > t->n)
			return DIF_FAULT_BADINDEX;
		q->result = address(t->part[q->num - 1]);
		return 0;
	case DIF_SUBR_TERM_HD:
		q->result = address(t->part[0]);
		return 0;
	case DIF_SUBR_TERM_TL:
		q->result = address(ROW_TAIL);
		return 0;
	case DIF_SUBR_TERM_MAP_GET:
	case DIF_SUBR_TERM_IS_MAP_KEY:
		for (unsigned k = 0; t->kind == MAP && k < t->n; k++) {
			const struct row *key = &rows[t->part[2 * k]];
			bool same = q->keykind == TERM_KEY_INT      ? key->kind == INT && key->num == q->num
				    : q->keykind == TERM_KEY_STRING ? key->bytes && strlen(key->bytes) == q->textlen &&
									  memcmp(key->bytes, q->text, q->textlen) == 0
								    : q->key == address(t->part[2 * k]);
			if (!same)
				continue;
			q->result = q->op == DIF_SUBR_TERM_IS_MAP_KEY ? 1 : address(t->part[2 * k + 1]);
			return 0;
		}
		q->result = 0;
		return q->op == DIF_SUBR_TERM_IS_MAP_KEY ? 0 : DIF_FAULT_BADINDEX;
	default:
		return DIF_FAULT_ILLOP;
	}
}

struct shown {
	const struct dobj *o;
	struct engine *e;
	struct sbuf text;
};

static void
show(void *arg, unsigned shard, const struct eng_rec *r)
{
	struct shown *s = arg;
	(void)shard;
	if (r->fault >= 0) {
		sb_printf(&s->text, "fault %d|", r->fault);
		return;
	}
	const struct dobj_group *g = &s->o->groups[engine_user.epid(s->e, r->epid)->group];
	for (uint32_t i = 0; i < g->nfields; i++) {
		const struct dobj_field *f = &s->o->fields[g->field + i];
		const char *at = r->data + f->offset;
		int64_t v = 0;
		if (f->kind == DK_INT) {
			memcpy(&v, at, f->size);
			if (f->size == 4 && f->is_signed)
				v = (int32_t)v;
			sb_printf(&s->text, "%lld|", (long long)v);
		} else {
			assert_int_equal(f->kind, DK_STRING);
			sb_printf(&s->text, "%s|", at);
		}
	}
}

static void
show_agg(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words)
{
	struct shown *s = arg;
	(void)agg;
	(void)keylen;
	sb_printf(&s->text, "@%s=%lld|", (const char *)key, (long long)words[1]);
}

static void
open_with_probe(struct fix *f)
{
	static const char *const names[4] = {"fake", "", "", "p"};
	static const char *const types[] = {"term", "term", "term", "term", "int", NULL};
	fix_open(f);
	assert_non_null(probe_add(f->probes, &provider_dtrace, names, types, 0));
}

/* What a clause records with args[0] a tuple, args[1] a list, args[2] a map, args[3] an integer. */
static const char *
run_on(const char *body, const struct firing_ops *ops)
{
	static char result[4096];
	static const char *const names[4] = {"fake", "", "", "p"};
	char source[2048];
	struct why why = {""};
	struct fix f;
	struct dobj o;
	struct eng_conf conf = {.nshards = 1,
	    .bufsize = 1 << 16,
	    .aggsize = 1 << 16,
	    .dynvarsize = 1 << 16,
	    .specsize = 4096,
	    .scratchsize = 4096,
	    .nspec = 1,
	    .sizes = {.strsize = 64, .stackframes = 20, .ustackframes = 20, .jstackframes = 50, .jstackstrsize = 512}};
	open_with_probe(&f);
	snprintf(source, sizeof source, "%s", body);
	const char *tag = fix_compile(&f, source);
	if (*tag)
		fail_msg("%s: %s: %s", body, tag, f.diag.msg);
	assert_true(unit_object(f.unit, &o));
	assert_true(dobj_verify(&o, &why));
	assert_true(dobj_layout(&o, &conf.sizes, &why));
	struct engine *e = engine_user.create(&o, &conf, &why);
	assert_non_null(e);
	struct firing fire = {.thread = 1, .ops = ops, .nargs = 5};
	const unsigned args[] = {0, 4, 7, 8};
	for (int i = 0; i < 4; i++)
		fire.args[i] = address(args[i]);
	fire.args[4] = 3;
	for (unsigned i = 0; i < o.nclauses; i++)
		fire.probe = (unsigned)engine_user.bind(e, 9, names, i);
	assert_true(engine_user.start(e, &why));
	struct shown s = {.o = &o, .e = e};
	engine_user.fire(e, &fire);
	engine_user.drain(e, show, &s);
	engine_user.snap(e, show_agg, &s);
	snprintf(result, sizeof result, "%s", s.text.len ? s.text.at : "");
	sb_free(&s.text);
	engine_user.destroy(e);
	dobj_free(&o);
	fix_close(&f);
	return result;
}

static const struct firing_ops ops = {.term = query};

static void
test_values(void **st)
{
	(void)st;
	static const struct {
		const char *body, *want;
	} cases[] = {
	    /* as text */
	    {"fake:::p { trace(args[0]); }", "{ok,42,<<\"book\">>}|"},
	    {"fake:::p { print(args[1]); }", "[42,'Odd one']|"},
	    {"fake:::p { trace(text(args[0])); }", "{ok,42,<<\"book\">>}|"},
	    {"fake:::p { trace(stringof(args[3])); trace((string)args[3]); }", "-7|-7|"},
	    {"fake:::p { printf(\"%s %d %x\", args[0], args[3], args[3]); }", "{ok,42,<<\"book\">>}|-7|-7|"},
	    {"fake:::p { trace(copyinstr(arg1)); trace(copyinstr(args[1])); trace(copyinstr(arg1, 3)); }",
		"[42,'Odd one']|[42,'Odd one']|[42|"},
	    {"fake:::p { trace(strlen(args[1])); trace(strjoin(args[3], \"!\")); trace(substr(args[0], 1, 2)); }",
		"14|-7!|ok|"},
	    {"fake:::p { trace(strstr(args[0], \"book\")); }", "book\">>}|"},
	    {"fake:::p { trace(element(1, args[0]) == \"ok\"); trace(\"no\" == element(1, args[0])); }", "1|0|"},
	    {"fake:::p { trace(args[0] == args[0]); trace(args[0] != args[1]); }", "1|1|"},
	    {"fake:::p { trace(1 ? args[3] : \"none\"); trace(0 ? args[3] : 5); trace(1 ? args[3] : args[0]); }",
		"-7|5|-7|"},
	    /* as numbers */
	    {"fake:::p { trace(args[3] + 1); trace(2 * args[3]); trace(-args[3]); trace((int)args[3]); }",
		"-6|-14|7|-7|"},
	    {"fake:::p { trace(args[3] < 0); trace(args[3] == -7); trace(term_int(args[3])); }", "1|1|-7|"},
	    {"fake:::p /args[3] == -7/ { trace(1); }", "1|"},
	    {"fake:::p { x = 5; x += args[3]; trace(x); }", "-2|"},
	    {"fake:::p { @[args[1]] = sum(args[3]); }", "@[42,'Odd one']=-7|"},
	    /* parts */
	    {"fake:::p { trace(element(2, args[0]) + 1); trace(binary(element(3, args[0]))); }", "43|book|"},
	    {"fake:::p { trace(hd(args[1])); trace(tl(args[1])); trace(atom(hd(tl(args[1])))); }",
		"42|['Odd one']|Odd one|"},
	    {"fake:::p { trace(length(args[1])); trace(tuple_size(args[0])); }", "2|3|"},
	    {"fake:::p { trace(map_get(\"ok\", args[2])); trace(map_get(42, args[2])); }", "42|ok|"},
	    {"fake:::p { trace(map_get(element(1, args[0]), args[2])); }", "42|"},
	    {"fake:::p { trace(is_map_key(\"ok\", args[2])); trace(is_map_key(1, args[2])); }", "1|0|"},
	    {"fake:::p { trace(is_tuple(args[0])); trace(is_atom(args[0])); }", "1|0|"},
	    {"fake:::p { trace(is_atom((term)arg0)); trace(element(2, (term)arg0)); }", "0|42|"},
	    /* kept: the handle in this->, the text elsewhere */
	    {"fake:::p { this->t = args[0]; trace(element(2, this->t)); } fake:::p { trace(this->t); }",
		"42|{ok,42,<<\"book\">>}|"},
	    {"this term t; fake:::p { this->t = args[1]; this->t = tl(this->t); trace(this->t); }", "['Odd one']|"},
	    {"fake:::p { self->t = args[0]; g = args[1]; a[args[3]] = args[3]; } "
	     "fake:::p { trace(self->t); trace(g); trace(a[\"-7\"]); }",
		"{ok,42,<<\"book\">>}|[42,'Odd one']|-7|"},
	    {"string s; self int i; fake:::p { s = args[3]; self->i = args[3]; trace(s); trace(self->i); }", "-7|-7|"},
	    {"inline int is_ok[term t] = is_tuple(t) && element(1, t) == \"ok\"; "
	     "fake:::p { trace(is_ok[args[0]]); trace(is_ok[args[1]]); }",
		"1|0|"},
	    /* names of these functions are free for variables */
	    {"fake:::p { length = 3; text = \"x\"; trace(length); trace(text); trace(length(args[1])); }", "3|x|2|"},
	    /* faults */
	    {"fake:::p { trace(args[0] + 1); }", "fault 3|"},
	    {"fake:::p { trace(element(4, args[0])); }", "fault 12|"},
	    {"fake:::p { trace(element(0, args[0])); }", "fault 12|"},
	    {"fake:::p { trace(map_get(\"none\", args[2])); }", "fault 12|"},
	    {"fake:::p { trace(atom(args[0])); }", "fault 3|"},
	    {"fake:::p { trace(text((term)arg4)); }", "fault 1|"},
	    {"fake:::p { trace(is_atom((term)arg4)); }", "fault 1|"},
	    {"this term t; fake:::p { trace(this->t); }", "fault 1|"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *got = run_on(cases[i].body, &ops);
		if (strcmp(got, cases[i].want) != 0)
			fail_msg("%s: got %s, want %s", cases[i].body, got, cases[i].want);
	}
}

/* A provider without terms, and no provider at all. */
static void
test_no_terms(void **st)
{
	(void)st;
	static const struct firing_ops none = {0};
	static const char *const bodies[] = {"fake:::p { trace(text(args[0])); }",
	    "fake:::p { trace(is_atom(args[0])); }", "fake:::p { trace(atom(args[0])); }",
	    "fake:::p { trace(element(1, args[0])); }", "fake:::p { trace(map_get(1, args[0])); }",
	    "fake:::p { trace(args[0] + 1); }"};
	for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
		assert_string_equal(run_on(bodies[i], &none), "fault 3|");
		assert_string_equal(run_on(bodies[i], NULL), "fault 3|");
	}
	assert_string_equal(run_on("fake:::p { trace(copyinstr(arg0)); }", NULL), "fault 1|");
}

static void
test_errors(void **st)
{
	(void)st;
	static const struct {
		const char *source, *tag, *says;
	} cases[] = {
	    {"fake:::p /args[0]/ { }", "D_PRED_SCALAR", "is_atom()"},
	    {"fake:::p { if (args[0]) { trace(1); } }", "D_PRED_SCALAR", "is_atom()"},
	    {"fake:::p { trace(!args[0]); }", "D_OP_SCALAR", "is_atom()"},
	    {"fake:::p { trace(args[0] && 1); }", "D_OP_SCALAR", "is_atom()"},
	    {"fake:::p { trace(args[0] ? 1 : 2); }", "D_OP_SCALAR", "is_atom()"},
	    {"fake:::p { trace(*args[0]); }", "D_DEREF_NONPTR", "element()"},
	    {"fake:::p { trace(is_atom(arg0)); }", "D_PROTO_ARG", "(term)arg0"},
	    {"fake:::p { trace(is_atom(\"x\")); }", "D_PROTO_ARG", "'term' expected"},
	    {"fake:::p { trace(is_atom()); }", "D_PROTO_LEN", "1 expected"},
	    {"fake:::p { trace(element(args[0], 1)); }", "D_PROTO_ARG", "element(1, args[0])"},
	    {"fake:::p { trace(map_get(args[2], \"k\")); }", "D_PROTO_ARG", "key comes first"},
	    {"fake:::p { trace(map_get(args[2])); }", "D_PROTO_LEN", "2 expected"},
	    {"fake:::p { trace(map_get(curpsinfo, args[2])); }", "D_PROTO_ARG", "a number, a string or a term"},
	    {"fake:::p { trace(is_atm(args[0])); }", "D_FUNC_UNDEF", "is_atom"},
	    {"fake:::p { trace(mapget(1, args[0])); }", "D_FUNC_UNDEF", "map_get"},
	    {"fake:::p { this->t = args[0]; this->t = 5; }", "D_OP_INCOMPAT", "'term' = 'int'"},
	    {"fake:::p { this->t = args[0]; this->t++; }", "D_OP_SCALAR", "term"},
	    {"fake:::p { args[0] = 1; }", "D_OP_INCOMPAT", "term"},
	    {"self term t;", "D_DECL_DYNOBJ", "string"},
	    {"term t;", "D_DECL_DYNOBJ", "string"},
	    {"int a[term];", "D_DECL_PROTO_TYPE", "string"},
	    {"typedef int term;", "D_DECL_IDRED", "term"},
	    {"fake:::p { trace(length); }", "D_IDENT_BADREF", "length"},
	    {"fake:::p { printf(\"%k\", args[0]); }", "D_PRINTF_ARG_TYPE", "stack()"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct fix f;
		open_with_probe(&f);
		const char *tag = fix_compile(&f, cases[i].source);
		if (strcmp(tag, cases[i].tag) != 0)
			fail_msg("%s: got %s, want %s", cases[i].source, tag, cases[i].tag);
		if (!strstr(f.diag.msg, cases[i].says) && !(f.diag.hint && strstr(f.diag.hint, cases[i].says)))
			fail_msg("%s: '%s' says nothing of '%s'", cases[i].source, f.diag.msg, cases[i].says);
		fix_close(&f);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_values),
	    cmocka_unit_test(test_no_terms),
	    cmocka_unit_test(test_errors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
