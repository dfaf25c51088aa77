/* The parser: the shape of trees, probe descriptions, predicates, and what is refused. */
#include "lang.h"

#include "base/sbuf.h"

#include <stdio.h>

static struct fix fx;

static void dump(struct sbuf *b, const struct node *n);

static void
dump_list(struct sbuf *b, const char *open, const struct node *n, const char *close)
{
	sb_adds(b, open);
	for (; n; n = n->next) {
		dump(b, n);
		if (n->next)
			sb_addc(b, ' ');
	}
	sb_adds(b, close);
}

static const char *
op_text(enum op op)
{
	static const char *const names[] = {"neg", "pos", "!", "~", "deref", "addr", "++x", "--x", "x++", "x--",
	    "sizeof", "stringof", "*", "/", "%", "+", "-", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&", "^", "|",
	    "&&", "^^", "||", ",", "=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|="};
	return names[op];
}

static void
dump_pdesc(struct sbuf *b, const struct pdesc *d)
{
	if (d->id)
		sb_printf(b, "#%u", d->id);
	else
		sb_printf(b, "%s:%s:%s:%s", d->names[0], d->names[1], d->names[2], d->names[3]);
}

static void
dump(struct sbuf *b, const struct node *n)
{
	static const char *const scopes[] = {"", "self->", "this->"};
	switch (n->kind) {
	case N_INT:
		sb_printf(b, "%lld", (long long)n->u.num);
		break;
	case N_STR:
		sb_printf(b, "\"%s\"", n->u.str.at);
		break;
	case N_IDENT:
		sb_printf(b, "%s%s", scopes[n->u.ident.scope], n->u.ident.name);
		break;
	case N_SYMBOL:
		sb_printf(b, "%s`%s", n->u.symbol.object, n->u.symbol.name);
		break;
	case N_TYPE:
		sb_printf(b, "<%s>", type_text(&fx.ar, n->type));
		break;
	case N_INDEX:
		dump(b, n->u.index.base);
		dump_list(b, "[", n->u.index.args, "]");
		break;
	case N_OP1:
		sb_printf(b, "(%s ", op_text(n->u.op.op));
		dump(b, n->u.op.a);
		sb_addc(b, ')');
		break;
	case N_OP2:
		sb_printf(b, "(%s ", op_text(n->u.op.op));
		dump(b, n->u.op.a);
		sb_addc(b, ' ');
		dump(b, n->u.op.b);
		sb_addc(b, ')');
		break;
	case N_COND:
		sb_adds(b, "(? ");
		dump(b, n->u.cond.a);
		sb_addc(b, ' ');
		dump(b, n->u.cond.b);
		sb_addc(b, ' ');
		dump(b, n->u.cond.c);
		sb_addc(b, ')');
		break;
	case N_MEMBER:
		dump(b, n->u.member.obj);
		sb_printf(b, "%s%s", n->u.member.arrow ? "->" : ".", n->u.member.name);
		break;
	case N_CAST:
		sb_printf(b, "(cast <%s> ", type_text(&fx.ar, n->type));
		dump(b, n->u.op.a);
		sb_addc(b, ')');
		break;
	case N_CALL:
		sb_adds(b, n->u.call.name);
		dump_list(b, "(", n->u.call.args, ")");
		break;
	case N_XLATE:
		sb_printf(b, "(xlate <%s%s> ", type_text(&fx.ar, n->u.xlate.to), n->u.xlate.to_ptr ? " *" : "");
		dump(b, n->u.xlate.expr);
		sb_addc(b, ')');
		break;
	case N_AGG:
		sb_printf(b, "@%s", n->u.agg.name);
		if (n->u.agg.has_keys)
			dump_list(b, "[", n->u.agg.keys, "]");
		break;
	case N_EXPRSTMT:
		dump(b, n->u.op.a);
		sb_addc(b, ';');
		break;
	case N_AGGSTMT:
		dump(b, n->u.aggstmt.agg);
		sb_adds(b, " = ");
		dump(b, n->u.aggstmt.call);
		sb_addc(b, ';');
		break;
	case N_IF:
		sb_adds(b, "if ");
		dump(b, n->u.cond.a);
		dump_list(b, " {", n->u.cond.b, "}");
		if (n->u.cond.c)
			dump_list(b, " else {", n->u.cond.c, "}");
		break;
	case N_PDESC:
		dump_pdesc(b, &n->u.pdesc);
		break;
	case N_CLAUSE:
		dump_list(b, "", n->u.clause.pdescs, "");
		if (n->u.clause.pred)
			dump_list(b, " /", n->u.clause.pred, "/");
		if (n->u.clause.has_body)
			dump_list(b, " {", n->u.clause.body, "}");
		break;
	case N_DECL:
		sb_printf(b, "decl%d %s <%s>", (int)n->u.decl.scope, n->u.decl.name, type_text(&fx.ar, n->u.decl.type));
		break;
	case N_INLINE:
		sb_printf(b, "inline %s <%s>", n->u.inl.name, type_text(&fx.ar, n->u.inl.type));
		if (n->u.inl.has_params)
			dump_list(b, " (", n->u.inl.params, ")");
		dump_list(b, " = ", n->u.inl.expr, "");
		break;
	case N_XLATOR:
		sb_printf(b, "translator <%s> <%s> %s", type_text(&fx.ar, n->u.xlator.to),
		    type_text(&fx.ar, n->u.xlator.from), n->u.xlator.param);
		for (const struct node *m = n->u.xlator.members; m; m = m->next) {
			sb_printf(b, " %s=", m->u.member.name);
			dump(b, m->u.member.obj);
		}
		break;
	case N_PROVIDER:
		sb_adds(b, "provider");
		break;
	default:
		sb_adds(b, "?");
	}
}

/* The program as text, its parts separated by " | "; or the tag of the error. */
static char *
tree_n(const char *text, size_t len)
{
	static char out[8192];
	static struct sbuf b;
	sb_free(&b);
	struct cc *cc = fix_cc(&fx, text, len);
	if (setjmp(fx.fail)) {
		snprintf(out, sizeof out, "%s", fx.diag.tag ? fx.diag.tag : "no memory");
		if (fx.diag.tag)
			assert_true(tag_known(fx.diag.tag));
		sb_free(&b);
		return out;
	}
	struct parser *p = parse_open(cc);
	for (struct node *n; (n = parse_top(p));) {
		if (b.len)
			sb_adds(&b, " | ");
		dump_list(&b, "", n, "");
	}
	snprintf(out, sizeof out, "%s", b.at ? b.at : "");
	sb_free(&b);
	return out;
}

static char *
tree(const char *text)
{
	return tree_n(text, strlen(text));
}

/* The tree of one expression. */
static char *
expr(const char *text)
{
	static char out[8192];
	char program[4096];
	snprintf(program, sizeof program, "BEGIN { %s; }", text);
	const char *t = tree(program), *from = strchr(t, '{');
	if (!from)
		return strcpy(out, t);
	snprintf(out, sizeof out, "%s", from + 1);
	out[strlen(out) - 2] = '\0';
	return out;
}

static void
precedence(void **state)
{
	(void)state;
	assert_string_equal(expr("1 + 2 * 3"), "(+ 1 (* 2 3))");
	assert_string_equal(expr("(1 + 2) * 3"), "(* (+ 1 2) 3)");
	assert_string_equal(expr("1 - 2 - 3"), "(- (- 1 2) 3)");
	assert_string_equal(expr("a = b = c"), "(= a (= b c))");
	assert_string_equal(expr("a || b ^^ c && d | e ^ f & g == h < i << j + k * l"),
	    "(|| a (^^ b (&& c (| d (^ e (& f (== g (< h (<< i (+ j (* k l)))))))))))");
	assert_string_equal(expr("a ? b : c ? d : e"), "(? a b (? c d e))");
	assert_string_equal(expr("a ? b, c : d"), "(? a (, b c) d)");
	assert_string_equal(expr("x = a ? 1 : 2"), "(= x (? a 1 2))");
	assert_string_equal(expr("-a * !b"), "(* (neg a) (! b))");
	assert_string_equal(expr("- -a"), "(neg (neg a))");
	assert_string_equal(expr("*p++"), "(deref (x++ p))");
	assert_string_equal(expr("++*p"), "(++x (deref p))");
	assert_string_equal(expr("&a[1].b->c"), "(addr a[1].b->c)");
	assert_string_equal(expr("x += 1, y <<= 2"), "(, (+= x 1) (<<= y 2))");
	assert_string_equal(expr("a < b == c > d"), "(== (< a b) (> c d))");
	assert_string_equal(expr("a + b = c"), "D_SYNTAX");
	assert_string_equal(expr("a ? b : c = d"), "D_SYNTAX");
}

static void
primaries(void **state)
{
	(void)state;
	assert_string_equal(expr("self->x[1, \"a\"]"), "self->x[1 \"a\"]");
	assert_string_equal(expr("this->y = self->z"), "(= this->y self->z)");
	assert_string_equal(expr("self->for"), "self->for");
	assert_string_equal(expr("f(a, b = 1)"), "f(a (= b 1))");
	assert_string_equal(expr("f()"), "f()");
	assert_string_equal(expr("(int)x + 1"), "(+ (cast <int> x) 1)");
	assert_string_equal(expr("(struct s *)p"), "(cast <struct s *> p)");
	assert_string_equal(expr("(uint64_t)(int)-1"), "(cast <uint64_t> (cast <int> (neg 1)))");
	assert_string_equal(expr("(pid) + 1"), "(+ pid 1)");
	assert_string_equal(expr("sizeof (int)"), "(sizeof <int>)");
	assert_string_equal(expr("sizeof (x) + 1"), "(+ (sizeof x) 1)");
	assert_string_equal(expr("sizeof (x).y"), "(sizeof x.y)");
	assert_string_equal(expr("sizeof x"), "(sizeof x)");
	assert_string_equal(expr("stringof(p)"), "(stringof p)");
	assert_string_equal(expr("stringof p->q"), "(stringof p->q)");
	assert_string_equal(expr("xlate <struct s>(p).x"), "(xlate <struct s> p).x");
	assert_string_equal(expr("xlate <struct s *>(p)->x"), "(xlate <struct s *> p)->x");
	assert_string_equal(expr("vmlinux`jiffies"), "vmlinux`jiffies");
	assert_string_equal(expr("@a[1, pid] = count()"), "@a[1 pid] = count()");
	assert_string_equal(expr("@ = sum(x)"), "@ = sum(x)");
	assert_string_equal(expr("printa(@a)"), "printa(@a)");
	assert_string_equal(tree("struct os { char a; int b; int c : 3; }; BEGIN { x = offsetof(struct os, b); }"),
	    ":::BEGIN {(= x 4);}");
	assert_string_equal(expr("offsetof(struct os, c)"), "D_OFFSETOF_BITFIELD");
	assert_string_equal(expr("offsetof(struct os, d)"), "D_UNKNOWN");
	assert_string_equal(expr("offsetof(int, d)"), "D_OFFSETOF_TYPE");
	assert_string_equal(expr("@a = 1"), "D_AGG_FUNC");
	assert_string_equal(expr("@a[1][2] = count()"), "D_AGG_MDIM");
	assert_string_equal(expr("(a + b)(1)"), "D_FUNC_IDENT");
	assert_string_equal(expr("self"), "D_SYNTAX");
	assert_string_equal(expr("\"a\" \"b\""), "D_SYNTAX");
	assert_string_equal(expr("a[]"), "D_SYNTAX");
	assert_string_equal(expr("f(a,)"), "D_SYNTAX");
	assert_string_equal(expr("a b"), "D_SYNTAX");
	assert_string_equal(expr("1 +"), "D_SYNTAX");
}

static void
statements(void **state)
{
	(void)state;
	assert_string_equal(tree("BEGIN { }"), ":::BEGIN {}");
	assert_string_equal(tree("BEGIN { ;;a;; }"), ":::BEGIN {a;}");
	assert_string_equal(tree("BEGIN { a; b }"), ":::BEGIN {a; b;}");
	assert_string_equal(tree("BEGIN { if (a) b; else c; d }"), ":::BEGIN {if a {b;} else {c;} d;}");
	assert_string_equal(tree("BEGIN { if (a) { b; c } else if (d) { e } else { } f; }"),
	    ":::BEGIN {if a {b; c;} else {if d {e;}} f;}");
	assert_string_equal(tree("BEGIN { if (a) { if (b) c; else d; } }"), ":::BEGIN {if a {if b {c;} else {d;}}}");
	assert_string_equal(tree("BEGIN { else a; }"), "D_SYNTAX");
	assert_string_equal(tree("BEGIN { if a; }"), "D_SYNTAX");
	assert_string_equal(tree("BEGIN { a"), "D_SYNTAX");
	assert_string_equal(tree("BEGIN { a } }"), "D_SYNTAX");
	assert_string_equal(tree("BEGIN { { a } }"), "D_SYNTAX");
	assert_string_equal(tree("BEGIN { int x; }"), "D_SYNTAX");
	static const char *const words[] = {"for", "while", "do", "goto", "switch", "return", "break", "continue",
	    "case", "default", "auto", "register", "static", "import", "restrict", "try", "counter"};
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		char text[100];
		snprintf(text, sizeof text, "BEGIN { %s = 1; }", words[i]);
		assert_string_equal(tree(text), "D_SYNTAX");
	}
	assert_string_equal(tree("BEGIN { while (1) x; }"), "D_SYNTAX");
	assert_non_null(strstr(fx.diag.hint, "D has no loops"));
	assert_string_equal(tree("BEGIN { x = 1 }\nEND { y = 2 z }"), "D_SYNTAX");
	assert_string_equal(fx.diag.msg, "expected ';' before 'z'");
	assert_int_equal(fx.diag.line, 2);
	assert_int_equal(fx.diag.col, 13);
}

static void
descriptions(void **state)
{
	(void)state;
	assert_string_equal(tree("BEGIN"), ":::BEGIN");
	assert_string_equal(tree("dtrace:::BEGIN"), "dtrace:::BEGIN");
	assert_string_equal(tree("a:b {}"), "::a:b {}");
	assert_string_equal(tree("a:b:c {}"), ":a:b:c {}");
	assert_string_equal(tree(":::{}"), "::: {}");
	assert_string_equal(tree("a,b , c:d{}"), ":::a :::b ::c:d {}");
	assert_string_equal(tree("a,\nb {}\nc {}"), ":::a :::b {} | :::c {}");
	assert_string_equal(tree("syscall::read*:entry, tick-10ms {}"), "syscall::read*:entry :::tick-10ms {}");
	assert_string_equal(tree("[a-z]?x[!b]:::*{}"), "[a-z]?x[!b]:::* {}");
	assert_string_equal(tree("erlang*:lists:seq/2:entry {}"), "erlang*:lists:seq/2:entry {}");
	assert_string_equal(tree("erlang*:'Elixir.Foo':bar/1:entry{}"), "erlang*:Elixir.Foo:bar/1:entry {}");
	assert_string_equal(tree("erlang*:MyApp.Repo:all?/1:entry /x/ {}"), "erlang*:MyApp.Repo:all?/1:entry /x/ {}");
	assert_string_equal(tree("erlang*:m:'a b*'/0:entry {}"), "erlang*:m:a b\\*/0:entry {}");
	assert_string_equal(tree("erlang*:m:-init/1-fun-0-/2:entry {}"), "erlang*:m:-init/1-fun-0-/2:entry {}");
	assert_string_equal(tree("e:m:f/?:entry, e:m:f/[12]:entry, e:m:f/*:entry {}"),
	    "e:m:f/?:entry e:m:f/[12]:entry e:m:f/*:entry {}");
	assert_string_equal(tree("a:b:c:d:e {}"), "D_PDESC_INVAL");
	assert_string_equal(tree("0 {}"), "D_PDESC_INVAL");
	assert_string_equal(tree("99999999999 {}"), "D_PDESC_INVAL");
	assert_string_equal(tree("1 {}"), "#1 {}");
	assert_string_equal(tree(", a {}"), "D_SYNTAX");
	assert_string_equal(tree("a, {}"), "D_SYNTAX");
	assert_string_equal(tree("BEGIN END"), "D_SYNTAX");
	assert_string_equal(tree("{ }"), "D_SYNTAX");
	assert_string_equal(tree("pid$target:::"), "D_MACRO_UNDEF");
	fx.target = 12;
	assert_string_equal(tree("pid$target:libc:malloc:entry {}"), "pid12:libc:malloc:entry {}");
	fx.target = -1;
	static const char *const argv[] = {"x", "read", "a:b"};
	fx.argc = 3;
	fx.argv = argv;
	assert_string_equal(tree("syscall::$1:entry {}"), "syscall::read:entry {}");
	assert_string_equal(tree("$2:c:d {}"), "a:b:c:d {}");
	assert_string_equal(tree("$3 {}"), "D_MACRO_UNDEF");
	fx.argc = 0;
	fx.is_file = true;
	assert_string_equal(tree("BEGIN"), "D_SYNTAX");
	assert_string_equal(tree("BEGIN {}"), ":::BEGIN {}");
	fx.is_file = false;
}

static void
what_bare_names_mean(void **state)
{
	(void)state;
	fx.pspec = PS_PROVIDER;
	assert_string_equal(tree("profile"), "profile:::");
	assert_string_equal(tree("profile {x}"), "profile::: {x;}");
	assert_string_equal(tree("a:b"), "D_PDESC_INVAL");
	fx.pspec = PS_MODULE;
	assert_string_equal(tree("lists"), ":lists::");
	assert_string_equal(tree("erlang:lists"), "erlang:lists::");
	fx.pspec = PS_FUNC;
	assert_string_equal(tree("seq"), "::seq:");
	assert_string_equal(tree("seq/2"), "::seq/2:");
	assert_string_equal(tree("seq/2 /x/ {}"), "::seq/2: /x/ {}");
	assert_string_equal(tree("lists:seq/2,a/0{}"), ":lists:seq/2: ::a/0: {}");
	fx.pspec = PS_PROBEID;
	assert_string_equal(tree("1"), "#1");
	assert_string_equal(tree("BEGIN"), "D_PDESC_INVAL");
	fx.pspec = PS_NAME;
}

static void
predicates(void **state)
{
	(void)state;
	assert_string_equal(tree("BEGIN /a/ { }"), ":::BEGIN /a/ {}");
	assert_string_equal(tree("BEGIN/a/{}"), ":::BEGIN /a/ {}");
	assert_string_equal(tree("BEGIN/1/{}"), ":::BEGIN /1/ {}");
	assert_string_equal(tree("BEGIN/1 > 2/{}"), ":::BEGIN /(> 1 2)/ {}");
	assert_string_equal(tree("tick-1s/1?2:3/{}"), ":::tick-1s /(? 1 2 3)/ {}");
	assert_string_equal(tree("BEGIN /a / b/ {}"), ":::BEGIN /(/ a b)/ {}");
	assert_string_equal(tree("BEGIN /a / (b / c) / 2/\n\n{}"), ":::BEGIN /(/ (/ a (/ b c)) 2)/ {}");
	assert_string_equal(tree("BEGIN /a/ /* c */ {}"), ":::BEGIN /a/ {}");
	assert_string_equal(tree("BEGIN /a/ // c\n {}"), ":::BEGIN /a/ {}");
	assert_string_equal(tree("BEGIN /a//* c */{}"), ":::BEGIN /a/ {}");
	assert_string_equal(tree("BEGIN /a // why\n && b/ {}"), ":::BEGIN /(&& a b)/ {}");
	assert_string_equal(tree("BEGIN /* c */ /a/ {}"), ":::BEGIN /a/ {}");
	assert_string_equal(tree("BEGIN /x == \"a/b\"/ { y = 4 / 2; }"), ":::BEGIN /(== x \"a/b\")/ {(= y (/ 4 2));}");
	assert_string_equal(tree("BEGIN /a/"), "D_SYNTAX");
	assert_string_equal(tree("BEGIN /a/;"), "D_SYNTAX");
	assert_string_equal(tree("BEGIN / / {}"), "D_SYNTAX");
	assert_string_equal(tree("BEGIN /(a/ {}"), "D_SYNTAX");
	assert_string_equal(tree("BEGIN /a {}"), "D_SYNTAX");
	assert_string_equal(tree("BEGIN /a"), "D_SYNTAX");
}

static void
declarations(void **state)
{
	(void)state;
	assert_string_equal(tree("int x;"), "decl0 x <int>");
	assert_string_equal(tree("self int x, *y;"), "decl1 x <int> decl1 y <int *>");
	assert_string_equal(tree("this string s;"), "decl2 s <string>");
	assert_string_equal(tree("int a[string, int]; int b[4];"), "decl0 a <int [string, int]> | decl0 b <int [4]>");
	assert_string_equal(tree("int*x; char*y[3]; size_t z; size_t*w;"),
	    "decl0 x <int *> | decl0 y <char *[3]> | decl0 z <size_t> | decl0 w <size_t *>");
	/* Names of types are probe names too. */
	assert_string_equal(tree("int* {} size_t {} int*x:::y {}"), ":::int* {} | :::size_t {} | int*x:::y {}");
	assert_string_equal(
	    tree("typedef long foo; foo v; BEGIN { (foo)1; }"), "decl0 v <foo> | :::BEGIN {(cast <foo> 1);}");
	assert_string_equal(tree("typedef int foo2; struct sfoo { foo2 foo2; };"), "");
	assert_string_equal(tree("inline int TEN = 10;"), "inline TEN <int> = 10");
	assert_string_equal(tree("inline int twice[int v] = v * 2;"), "inline twice <int> (decl0 v <int>) = (* v 2)");
	assert_string_equal(
	    tree("inline int add(int a, int b) = a + b;"), "inline add <int> (decl0 a <int> decl0 b <int>) = (+ a b)");
	assert_string_equal(tree("struct t1 { int a, b; }; translator struct t1 < int *p > { a = *p; b = 2; };"),
	    "translator <struct t1> <int *> p a=(deref p) b=2");
	assert_string_equal(
	    tree("provider mine { probe go(int, char *); probe go__on(int a) : (int a); };"), "provider");
	assert_string_equal(tree("inline int f[int] = 1;"), "D_DECL_PROTO_NAME");
	assert_string_equal(tree("inline int f[5] = 1;"), "D_DECL_ARRNULL");
	assert_string_equal(tree("inline void v = 1;"), "D_DECL_VOIDOBJ");
	assert_string_equal(tree("inline int x;"), "D_SYNTAX");
	assert_string_equal(tree("provider p1 { };"), "D_PROV_BADNAME");
	assert_string_equal(tree("provider p { probe a(); probe a(); };"), "D_PROV_PRDUP");
	assert_string_equal(tree("provider p { probe a(int x) : (int y); };"), "D_DECL_PROTO_FORM");
	assert_string_equal(tree("provider p { probe a(int x) : (struct t1 *x); };"), "D_PROV_PRXLATOR");
	assert_string_equal(tree("provider p { probe a() }"), "D_SYNTAX");
	assert_string_equal(tree("import int x;"), "D_SYNTAX");
}

/* n copies of a text between two others. */
static char *
repeated(const char *head, const char *piece, size_t n, const char *tail, size_t *len)
{
	struct sbuf b = {0};
	sb_adds(&b, head);
	for (size_t i = 0; i < n; i++)
		sb_adds(&b, piece);
	sb_adds(&b, tail);
	*len = b.len;
	return sb_take(&b);
}

static void
hostile(void **state)
{
	(void)state;
	static const struct {
		const char *head, *piece, *tail, *tag;
	} cases[] = {
	    {"BEGIN { x = ", "(", "", "D_SYNTAX"},
	    {"BEGIN { x = ", "(int)", "1; }", "D_SYNTAX"},
	    {"BEGIN { x = ", "-", "1; }", "D_SYNTAX"},
	    {"BEGIN { x = ", "- ", "1; }", "D_SYNTAX"},
	    {"BEGIN { x = 1", "+1", "; }", "D_SYNTAX"},
	    {"BEGIN { x = ", "a=", "1; }", "D_SYNTAX"},
	    {"BEGIN { x = ", "a?b:", "1; }", "D_SYNTAX"},
	    {"BEGIN { x = ", "a?", "1; }", "D_SYNTAX"},
	    {"BEGIN { x = a", "[1]", "; }", "D_SYNTAX"},
	    {"BEGIN { x = a", ".a", "; }", "D_SYNTAX"},
	    {"BEGIN { x = ", "f(", "; }", "D_SYNTAX"},
	    {"BEGIN { x = ", "sizeof ", "1; }", "D_SYNTAX"},
	    {"BEGIN { ", "if (1) ", "x; }", "D_SYNTAX"},
	    {"BEGIN { ", "if (1) {", "x; }", "D_SYNTAX"},
	    {"BEGIN { ", "if (1) x; else ", "y; }", "D_SYNTAX"},
	    {"int ", "*", "x;", "D_SYNTAX"},
	    {"int ", "(", "x;", "D_SYNTAX"},
	    {"int x", "[2]", ";", "D_SYNTAX"},
	    {"int x", "(int ", ";", "D_SYNTAX"},
	    {"", "struct { ", "int x;", "D_SYNTAX"},
	    {"int x[", "sizeof (int[", "1", "D_SYNTAX"},
	    {"BEGIN /a", "/a", "/ {}", "D_SYNTAX"},
	    {"", "a:", "b {}", "D_PDESC_INVAL"},
	    {"/* ", "*", "", "D_SYNTAX"},
	    {"BEGIN { \"", "a", "", "D_SYNTAX"},
	    {"BEGIN { 0", "9", "; }", "D_INT_DIGIT"},
	    {"BEGIN { 1", "0", "; }", "D_INT_OFLOW"},
	    {"BEGIN { '", "a", "'; }", "D_CHR_OFLOW"},
	    {"#pragma D ", "option ", "\n", "D_PRAGMA_MALFORM"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		size_t len;
		char *text = repeated(cases[i].head, cases[i].piece, 300000, cases[i].tail, &len);
		assert_non_null(text);
		const char *tag = tree_n(text, len);
		if (strcmp(tag, cases[i].tag) != 0)
			fail_msg("%s%s...: %.200s", cases[i].head, cases[i].piece, tag);
		/* The message about a line of megabytes is short. */
		char *shown = diag_format(&fx.diag, true);
		assert_non_null(shown);
		assert_true(strlen(shown) < 1500);
		free(shown);
		free(text);
	}
}

/* How many constructs the text has, or -1. */
static int
count_tops(const char *text, size_t len)
{
	struct cc *cc = fix_cc(&fx, text, len);
	if (setjmp(fx.fail))
		return -1;
	struct parser *p = parse_open(cc);
	int n = 0;
	while (parse_top(p))
		n++;
	return n;
}

static void
large_but_fine(void **state)
{
	(void)state;
	static const struct {
		const char *head, *piece, *tail;
	} cases[] = {
	    {"BEGIN { ", "a", " = 1; }"},
	    {"BEGIN { x = \"", "a", "\"; }"},
	    {"BEGIN { x = f(1", ",1", "); }"},
	    {"BEGIN { x", ";x", "; }"},
	    {"BEGIN ", "/* c */ ", "{ }"},
	    {"", "\n", "BEGIN {}"},
	    {"BEGIN { x = 1", " ", "; }"},
	    {"BEGIN", ",END", " {}"},
	    {"BEGIN { // ", "x", "\n}"},
	    {"", "BEGIN{x=1}", ""},
	    {"", "# 1 \"a\"\n", "BEGIN {}"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		size_t len;
		char *text = repeated(cases[i].head, cases[i].piece, 200000, cases[i].tail, &len);
		int n = count_tops(text, len);
		if (n <= 0)
			fail_msg("%s%s...: %s", cases[i].head, cases[i].piece, fx.diag.msg);
		free(text);
	}
}

/* Every prefix of a program and every single byte changed: an answer, never a crash. */
static void
damaged(void **state)
{
	(void)state;
	static const char text[] =
	    "#pragma D option quiet\nstruct s { int a : 3; char *b[2]; };\ninline int TWO[int x] = x * 2;\n"
	    "self struct s v[string, int];\nerlang*:lists:seq/2:entry,\ntick-1s\n/x > 1 && (a / b) == '\\n'/ /* c */\n"
	    "{ @a[1, \"k\\n\"] = quantize(arg0, 2); if (self->x) { this->y = (int)$pid; } else trace(0x1fUL); }\n";
	char copy[sizeof text];
	for (size_t n = 0; n < sizeof text; n++) {
		memcpy(copy, text, n);
		struct lang_mark m = lang_mark(fx.lang);
		tree_n(copy, n);
		lang_undo(fx.lang, m);
	}
	static const char bytes[] = {
	    0, '\n', '"', '\'', '/', '*', '(', '{', '}', ';', '$', '@', '#', '\\', (char)0xff, '9', ' ', '`'};
	for (size_t i = 0; i + 1 < sizeof text; i++) {
		for (size_t k = 0; k < sizeof bytes; k++) {
			memcpy(copy, text, sizeof text);
			copy[i] = bytes[k];
			struct lang_mark m = lang_mark(fx.lang);
			tree_n(copy, sizeof text - 1);
			lang_undo(fx.lang, m);
		}
	}
}

static int
open_fx(void **state)
{
	(void)state;
	fix_open(&fx);
	return 0;
}

static int
close_fx(void **state)
{
	(void)state;
	fix_close(&fx);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(precedence),
	    cmocka_unit_test(primaries),
	    cmocka_unit_test(statements),
	    cmocka_unit_test(descriptions),
	    cmocka_unit_test(what_bare_names_mean),
	    cmocka_unit_test(predicates),
	    cmocka_unit_test(declarations),
	    cmocka_unit_test(hostile),
	    cmocka_unit_test(large_but_fine),
	    cmocka_unit_test(damaged),
	};
	return cmocka_run_group_tests(tests, open_fx, close_fx);
}
