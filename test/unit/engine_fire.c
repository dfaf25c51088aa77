/* Firings: order of clauses, clause-locals, faults and the ERROR probe, exit() and END. */
#include "eng.h"

static struct as a;
static struct recs rs;

/* A clause that records a number. */
static unsigned
clause_trace(uint64_t v)
{
	unsigned c = as_clause(&a);
	int32_t f = as_field(&a, DK_INT, 8);
	as_num(&a, 0, v);
	as_op(&a, DIF_RECB, 0, 0, 0, 0);
	as_op(&a, DIF_REC, 0, 0, 0, f);
	as_op(&a, DIF_RECE, 0, 0, 0, 0);
	as_end(&a);
	return c;
}

static unsigned
clause_exit(uint64_t status_code)
{
	unsigned c = as_clause(&a);
	int32_t f = as_field(&a, DK_INT, 4);
	as_slot(&a, 0, status_code);
	as_op(&a, DIF_RECB, 0, 0, 0, 0);
	as_op(&a, DIF_CALL, 1, 0, 1, DIF_SUBR_EXIT);
	as_op(&a, DIF_REC, 0, 7, 0, f);
	as_op(&a, DIF_RECE, 0, 0, 0, 0);
	as_end(&a);
	return c;
}

/* Records 1, then faults before its record is complete. */
static unsigned
clause_fault(void)
{
	unsigned c = as_clause(&a);
	int32_t f = as_field(&a, DK_INT, 8), g = as_field(&a, DK_INT, 8);
	as_op(&a, DIF_RECB, 0, 0, 0, 0);
	as_op(&a, DIF_REC, 0, 0, 0, f);
	as_line(&a, 2);
	as_num(&a, 1, 0xE70200000000ffffu);
	as_op(&a, DIF_LDX, 0, 1, 0, 0);
	as_op(&a, DIF_REC, 0, 0, 0, g);
	as_op(&a, DIF_RECE, 0, 0, 0, 0);
	as_end(&a);
	return c;
}

static struct engine *
make(void)
{
	struct eng_conf c = as_conf();
	return eng_new(&a, &c);
}

static void
test_order_and_ids(void **st)
{
	(void)st;
	as_init(&a);
	unsigned one = clause_trace(1), two = clause_trace(2);
	struct engine *e = make();
	unsigned p = eng_bind(e, 4, two), q = eng_bind(e, 5, one);
	assert_int_equal(eng_bind(e, 4, one), p);
	assert_int_equal(eng_bind(e, 5, two), q);
	fire(e, p); /* not started: nothing */
	eng_go(e);
	struct why why;
	assert_false(engine_user.start(e, &why));
	fire(e, p);
	fire(e, q);
	drain(e, &a, &rs);
	assert_int_equal(rs.n, 4);
	static const uint64_t values[] = {2, 1, 1, 2};
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(rec_u64(&rs.at[i], 0), values[i]);
		const struct eng_epid *ep = engine_user.epid(e, rs.at[i].r.epid);
		assert_int_equal(ep->probe, i < 2 ? p : q);
		assert_int_equal(ep->clause, values[i] - 1);
		assert_true(i == 0 || rs.at[i].r.time >= rs.at[i - 1].r.time);
	}
	assert_int_equal(rs.at[0].r.time, rs.at[1].r.time);
	assert_int_equal(rs.at[0].r.epid, 1);
	assert_null(engine_user.epid(e, 0));
	assert_null(engine_user.epid(e, 5));
	engine_user.destroy(e);
}

/* Clause-locals live through one firing, ERROR's own inside it, and are zero in the next. */
static void
test_locals(void **st)
{
	(void)st;
	as_init(&a);
	int32_t x = as_var(&a, DS_LOCAL, DK_INT, 8), s = as_var(&a, DS_LOCAL, DK_STRING, 0);
	unsigned first = as_clause(&a);
	as_op(&a, DIF_LDL, 1, 0, 0, x);
	as_op(&a, DIF_ADDI, 1, 1, 0, 5);
	as_op(&a, DIF_STL, 0, 1, 0, x);
	as_op(&a, DIF_LDLA, 1, 0, 0, s);
	as_op(&a, DIF_LDS, 2, 0, 0, as_str(&a, "hello"));
	as_op(&a, DIF_STRCPY, 1, 2, 0, 64);
	as_end(&a);
	unsigned bad = clause_fault(), error = as_clause(&a);
	as_num(&a, 1, 77);
	as_op(&a, DIF_STL, 0, 1, 0, x);
	as_end(&a);
	unsigned last = as_clause(&a);
	int32_t f = as_field(&a, DK_INT, 8), g = as_field(&a, DK_STRING, 0);
	as_op(&a, DIF_LDL, 1, 0, 0, x);
	as_op(&a, DIF_LDLA, 2, 0, 0, s);
	as_op(&a, DIF_RECB, 0, 0, 0, 0);
	as_op(&a, DIF_REC, 0, 1, 0, f);
	as_op(&a, DIF_REC, 0, 2, 0, g);
	as_op(&a, DIF_RECE, 0, 0, 0, 0);
	as_end(&a);
	struct engine *e = make();
	unsigned p = eng_bind(e, 4, first);
	eng_bind(e, 4, bad);
	eng_bind(e, 4, last);
	eng_bind(e, 3, error);
	unsigned q = eng_bind(e, 5, last);
	eng_go(e);
	fire(e, p);
	fire(e, q);
	drain(e, &a, &rs);
	assert_int_equal(rs.n, 3);
	assert_int_equal(rs.at[0].r.fault, DIF_FAULT_BADADDR);
	assert_int_equal(rec_u64(&rs.at[1], 0), 5);
	assert_string_equal(rs.at[1].data + 8, "hello");
	assert_int_equal(rec_u64(&rs.at[2], 0), 0);
	assert_string_equal(rs.at[2].data + 8, "");
	engine_user.destroy(e);
}

/* The half-made record is dropped, ERROR gets its arguments, the error record comes after ERROR's, later clauses run.
 */
static void
test_error_probe(void **st)
{
	(void)st;
	as_init(&a);
	unsigned bad = clause_fault(), after = clause_trace(9), error = as_clause(&a);
	for (int i = 0; i < 7; i++)
		as_field(&a, DK_INT, 8);
	as_op(&a, DIF_RECB, 0, 0, 0, 0);
	for (int i = 0; i < 7; i++) {
		as_op(&a, DIF_LDARG, 0, 0, 0, i);
		as_op(&a, DIF_REC, 0, 0, 0, i);
	}
	as_op(&a, DIF_RECE, 0, 0, 0, 0);
	as_end(&a);
	struct engine *e = make();
	unsigned p = eng_bind(e, 4, bad);
	eng_bind(e, 4, after);
	eng_bind(e, 3, error);
	eng_go(e);
	fire(e, p);
	drain(e, &a, &rs);
	assert_int_equal(rs.n, 3);
	static const uint64_t args[] = {0, 1, 2, 3 * 8, DIF_FAULT_BADADDR, 0xE70200000000ffffu, 0};
	assert_int_equal(rs.at[0].r.fault, -1);
	for (unsigned i = 0; i < 7; i++)
		assert_int_equal(rec_u64(&rs.at[0], i * 8), args[i]);
	assert_int_equal(rs.at[1].r.fault, DIF_FAULT_BADADDR);
	assert_int_equal(rs.at[1].r.epid, 1);
	assert_int_equal(rs.at[1].r.fault_action, 2);
	assert_int_equal(rs.at[1].r.fault_pc, 24);
	assert_int_equal(rs.at[1].r.fault_value, 0xE70200000000ffffu);
	assert_int_equal(rec_u64(&rs.at[2], 0), 9);
	assert_int_equal(status(e).errors, 1);
	assert_int_equal(status(e).drops[ENG_DROP_DBLERROR], 0);
	engine_user.destroy(e);
}

static void
test_error_in_error(void **st)
{
	(void)st;
	as_init(&a);
	unsigned bad = clause_fault(), ok = clause_trace(3);
	struct engine *e = make();
	unsigned p = eng_bind(e, 4, bad);
	eng_bind(e, 3, bad);
	eng_bind(e, 3, ok);
	eng_go(e);
	fire(e, p);
	drain(e, &a, &rs);
	assert_int_equal(rs.n, 2);
	assert_int_equal(rec_u64(&rs.at[0], 0), 3);
	assert_int_equal(rs.at[1].r.fault, DIF_FAULT_BADADDR);
	assert_int_equal(rs.at[1].r.epid, 1);
	struct eng_status s = status(e);
	assert_int_equal(s.errors, 2);
	assert_int_equal(s.drops[ENG_DROP_DBLERROR], 1);
	engine_user.destroy(e);
}

/* The fault of a second group carries that group's id. */
static void
test_error_epid_of_group(void **st)
{
	(void)st;
	as_init(&a);
	unsigned c = as_clause(&a);
	as_op(&a, DIF_LDBI, 0, 0, 0, DIF_BI_EPID);
	as_group(&a);
	as_line(&a, 1);
	as_op(&a, DIF_LDBI, 1, 0, 0, DIF_BI_EPID);
	as_op(&a, DIF_SLL, 0, 0, 1, 0);
	as_op(&a, DIF_FAULT, 0, 0, 0, DIF_FAULT_ILLOP);
	as_end(&a);
	struct engine *e = make();
	eng_bind(e, 5, c);
	unsigned p = eng_bind(e, 4, c);
	eng_go(e);
	fire(e, p);
	drain(e, &a, &rs);
	assert_int_equal(rs.n, 1);
	assert_int_equal(rs.at[0].r.epid, 4);
	assert_int_equal(engine_user.epid(e, 4)->group, 1);
	assert_int_equal(rs.at[0].r.fault_value, 3 << 4); /* epid in each group */
	engine_user.destroy(e);
}

/* The clause that exits runs to its end; nothing else does but END. A second exit is no record. */
static void
test_exit(void **st)
{
	(void)st;
	as_init(&a);
	unsigned one = clause_trace(1), two = clause_trace(2), ex = clause_exit(5), end = clause_trace(4);
	struct engine *e = make();
	unsigned p = eng_bind(e, 4, one);
	eng_bind(e, 4, ex);
	eng_bind(e, 4, two);
	unsigned q = eng_bind(e, 5, two), fin = eng_bind(e, 2, end);
	eng_go(e);
	assert_false(status(e).exiting);
	fire(e, p);
	fire(e, q);
	assert_true(status(e).exiting);
	assert_int_equal(status(e).exit_status, 5);
	engine_user.stop(e);
	fire(e, p);
	fire(e, fin);
	drain(e, &a, &rs);
	assert_int_equal(rs.n, 3);
	assert_int_equal(rec_u64(&rs.at[0], 0), 1);
	assert_int_equal((int)rec_u64(&rs.at[1], 0), 5);
	assert_int_equal(rec_u64(&rs.at[2], 0), 4);
	engine_user.destroy(e);
}

static void
test_exit_in_begin_and_end(void **st)
{
	(void)st;
	as_init(&a);
	unsigned ex = clause_exit(3), two = clause_trace(2), last = clause_exit(8), bad = clause_fault(),
		 err = clause_trace(6);
	struct engine *e = make();
	unsigned begin = eng_bind(e, 1, ex);
	eng_bind(e, 1, two);
	unsigned end = eng_bind(e, 2, bad);
	eng_bind(e, 2, last);
	eng_bind(e, 2, two);
	eng_bind(e, 3, err);
	eng_go(e);
	fire(e, begin);
	engine_user.stop(e);
	drain(e, &a, &rs);
	assert_int_equal(rs.n, 1);
	fire(e, end);
	drain(e, &a, &rs);
	/* ERROR's record, the error, END's exit and END's second clause */
	assert_int_equal(rs.n, 4);
	assert_int_equal(rec_u64(&rs.at[0], 0), 6);
	assert_int_equal(rs.at[1].r.fault, DIF_FAULT_BADADDR);
	assert_int_equal(rec_u64(&rs.at[3], 0), 2);
	assert_int_equal(status(e).exit_status, 8);
	engine_user.destroy(e);
}

/* Bad probes and shards are refused, binding after start too. */
static void
test_refusals(void **st)
{
	(void)st;
	struct why why = {""};
	struct eng_conf c = as_conf();
	as_init(&a);
	unsigned one = clause_trace(1);
	c.nshards = 0;
	as_done(&a, &c);
	assert_null(engine_user.create(&a.o, &c, &why));
	assert_string_not_equal(why.text, "");
	struct engine *e = make();
	unsigned p = eng_bind(e, 4, one);
	assert_int_equal(engine_user.bind(e, 5, (const char *const[4]){"t", "", "", "n"}, 1), -1);
	eng_go(e);
	assert_int_equal(engine_user.bind(e, 5, (const char *const[4]){"t", "", "", "n"}, one), -1);
	struct firing f = {.probe = p + 1, .thread = 1};
	engine_user.fire(e, &f);
	f = (struct firing){.probe = p, .shard = 1, .thread = 1};
	engine_user.fire(e, &f);
	drain(e, &a, &rs);
	assert_int_equal(rs.n, 0);
	engine_user.destroy(e);
	engine_user.destroy(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_order_and_ids),
	    cmocka_unit_test(test_locals),
	    cmocka_unit_test(test_error_probe),
	    cmocka_unit_test(test_error_in_error),
	    cmocka_unit_test(test_error_epid_of_group),
	    cmocka_unit_test(test_exit),
	    cmocka_unit_test(test_exit_in_begin_and_end),
	    cmocka_unit_test(test_refusals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
