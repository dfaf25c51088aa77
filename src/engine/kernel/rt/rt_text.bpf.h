/*
 * Subroutines on strings, paths and network addresses: a part of rt.bpf.c.
 *
 * Strings are worked on in RT_TMP0 and RT_TMP1. Loops run through bpf_loop(), so that their length costs the
 * verifier nothing.
 */
/* ---- strings ---- */

SUBR(STRLEN)
{
	if (!st)
		return 0;
	u64 fault = str(st, RT_TMP0, a);
	return fault ? fault : result(st, st->len);
}

static long
find_char(u32 i, void *ctx)
{
	struct span *s = ctx;
	if (CHAR(s->st, s->a + i) != s->x)
		return 0;
	s->found = i;
	return 1;
}

static long
find_last_char(u32 i, void *ctx)
{
	struct span *s = ctx;
	u64 at = s->n - 1 - i;
	if (CHAR(s->st, s->a + at) != s->x)
		return 0;
	s->found = at;
	return 1;
}

/* As in C, the NUL belongs to the string. */
SUBR(STRCHR)
{
	if (!st)
		return 0;
	u64 fault = str(st, RT_TMP0, a);
	if (fault)
		return fault;
	struct span s = {.st = st, .a = RT_TMP0, .x = b & 0xff, .found = ~0ull};
	loop(st->len + 1, find_char, &s, 0);
	return result(st, s.found == ~0ull ? 0 : a + s.found);
}

SUBR(STRRCHR)
{
	if (!st)
		return 0;
	u64 fault = str(st, RT_TMP0, a);
	if (fault)
		return fault;
	struct span s = {.st = st, .a = RT_TMP0, .x = b & 0xff, .n = st->len + 1, .found = ~0ull};
	loop(s.n, find_last_char, &s, 0);
	return result(st, s.found == ~0ull ? 0 : a + s.found);
}

static long
differ_char(u32 i, void *ctx)
{
	struct span *s = ctx;
	if (CHAR(s->st, s->a + s->i + i) == CHAR(s->st, s->b + i))
		return 0;
	s->y = 1;
	return 1;
}

/* Returns whether the string at b, of n bytes, is at this place of the one at a: then the search is over. */
inline_ long
is_string_at(struct span *s, u64 place)
{
	s->i = place;
	s->y = 0;
	loop(s->n, differ_char, s, 0);
	if (s->y)
		return 0;
	s->found = place;
	return 1;
}

static long
find_string(u32 i, void *ctx)
{
	struct span *s = ctx;
	return is_string_at(s, s->x + i);
}

static long
find_last_string(u32 i, void *ctx)
{
	struct span *s = ctx;
	return is_string_at(s, s->x - i);
}

/* Copies the strings at a and b to RT_TMP0 and RT_TMP1, and gives their lengths. */
inline_ u64
two(struct rt *st, u64 a, u64 b, u64 *na, u64 *nb)
{
	u64 fault = str(st, RT_TMP0, a);
	if (fault)
		return fault;
	*na = st->len;
	fault = str(st, RT_TMP1, b);
	*nb = st->len;
	return fault;
}

/* Finds string b in a from `from` on; the place is in st->res, or ~0 if there is none. */
fn_ u64
rt_memmem(struct rt *st, u64 a, u64 b, u64 from)
{
	u64 na = 0, nb = 0;
	if (!st)
		return 0;
	u64 fault = two(st, a, b, &na, &nb);
	if (fault)
		return fault;
	if ((s64)from < 0)
		from = 0;
	if (from > na)
		from = na;
	struct span s = {.st = st, .a = RT_TMP0, .b = RT_TMP1, .n = nb, .x = from, .found = ~0ull};
	if (nb <= na - from)
		loop(na - from - nb + 1, find_string, &s, 0);
	return result(st, s.found);
}

SUBR(STRSTR)
{
	if (!st)
		return 0;
	u64 fault = rt_memmem(st, a, b, 0);
	return fault ? fault : result(st, st->res == ~0ull ? 0 : a + st->res);
}

SUBR(INDEX)
{
	return rt_memmem(st, a, b, n > 2 ? c : 0);
}

SUBR(RINDEX)
{
	u64 na = 0, nb = 0;
	if (!st)
		return 0;
	u64 fault = two(st, a, b, &na, &nb);
	if (fault)
		return fault;
	s64 pos = n > 2 ? (s64)c : (s64)na;
	if (pos < 0)
		return result(st, nb == 0 ? 0 : ~0ull);
	if (nb > na)
		return result(st, ~0ull);
	if (pos > (s64)(na - nb))
		pos = na - nb;
	struct span s = {.st = st, .a = RT_TMP0, .b = RT_TMP1, .n = nb, .x = pos, .found = ~0ull};
	loop(pos + 1, find_last_string, &s, 0);
	return result(st, s.found);
}

SUBR(STRJOIN)
{
	u64 na = 0, nb = 0;
	if (!st)
		return 0;
	u64 fault = str(st, RT_TMP0, a);
	if (fault)
		return fault;
	na = st->len;
	/* strsize - 1 bytes are left for both; the second goes directly behind the first. */
	u64 left = CONST(STRSIZE) - 1 - na;
	fault = rt_strn(st, RT_TMP1, b, left);
	if (fault)
		return fault;
	nb = st->len;
	HIDE(na);
	u64 n1 = nb;
	HIDE(n1);
	n1 &= RT_MAXSTR * 2 - 1;
	read_kernel(AT(st, RT_TMP0 + na), n1, st->self + __builtin_offsetof(struct rt, mem) + RT_TMP1);
	return rt_scratch_str(st, RT_TMP0, na + nb);
}

SUBR(SUBSTR)
{
	if (!st)
		return 0;
	u64 fault = str(st, RT_TMP0, a);
	if (fault)
		return fault;
	s64 len = st->len, from = (s64)b, most = n > 2 ? (s64)c : (s64)CONST(STRSIZE);
	/* Beyond this, all starts and lengths mean the same. */
	const s64 far = 1ll << 40;
	from = from > far ? far : from < -far ? -far : from;
	most = most > 2 * far ? 2 * far : most < -2 * far ? -2 * far : most;
	if (from < 0) {
		from += len;
		if (from < 0 && from + most > 0) {
			most += from;
			from = 0;
		}
	}
	if (from < 0 || from >= len)
		from = most = 0;
	else if (most < 0)
		most += len - from;
	if (most < 0)
		most = 0;
	if (most > len - from)
		most = len - from;
	return rt_scratch_str(st, RT_TMP0 + from, most);
}

/* Whether the char at a + i is one of the n at b: s->y. */
static long
char_in_set(u32 i, void *ctx)
{
	struct span *s = ctx;
	if (CHAR(s->st, s->a + s->i) != CHAR(s->st, s->b + i))
		return 0;
	s->y = 1;
	return 1;
}

/* Goes on while the chars from x on are in the set, or while they are not. */
inline_ long
skip(struct span *s, u32 i, u64 in_set)
{
	s->i = s->x + i;
	s->y = 0;
	loop(s->n, char_in_set, s, 0);
	if (s->y == in_set)
		return 0;
	s->found = s->i;
	return 1;
}

static long
skip_in_set(u32 i, void *ctx)
{
	return skip(ctx, i, 1);
}

static long
skip_not_in_set(u32 i, void *ctx)
{
	return skip(ctx, i, 0);
}

/*
 * What is left after a token stays with the thread, in a separate map: n bytes at offset `at` of the state's memory.
 * Kernels before 6.2 take no key or value from a state that came as an argument. So the key is on the stack, and the
 * string is written directly to its place.
 */
fn_ u64
rt_tok_keep(struct rt *st, u64 at, u64 n)
{
	if (!st)
		return 0;
	rt_who(st);
	u64 thread = st->thread, size = CONST(STRSIZE);
	char *left = map_lookup(MAP(TOK), &thread);
	if (!left) {
		map_update(MAP(TOK), &thread, VALUE(CONSTS), 1);
		if (!(left = map_lookup(MAP(TOK), &thread))) {
			drop(DROP_DYNAMIC);
			return 0;
		}
	}
	HIDE(n);
	if (n >= size)
		return 0;
	read_kernel(left, n, st->self + __builtin_offsetof(struct rt, mem) + at);
	left[n] = 0;
	return 0;
}

SUBR(STRTOK)
{
	u64 fault, len;
	if (!st)
		return 0;
	rt_who(st);
	u64 thread = st->thread;
	if ((fault = str(st, RT_TMP1, b)))
		return fault;
	u64 nset = st->len;
	if (a) {
		if ((fault = str(st, RT_TMP0, a)))
			return fault;
	} else {
		char *left = map_lookup(MAP(TOK), &thread);
		if (!left)
			return result(st, 0);
		u64 size = CONST(STRSIZE);
		HIDE(size);
		size &= RT_MAXSTR * 2 - 1;
		s64 got = read_kernel_str(&st->mem[RT_TMP0], size, (u64)left);
		st->len = got > 0 ? (u64)got - 1 : 0;
	}
	len = st->len;
	struct span s = {.st = st, .a = RT_TMP0, .b = RT_TMP1, .n = nset, .found = len};
	loop(len, skip_in_set, &s, 0);
	u64 from = s.found;
	if (from >= len) {
		map_delete(MAP(TOK), &thread);
		return result(st, 0);
	}
	s.x = from;
	s.found = len;
	loop(len - from, skip_not_in_set, &s, 0);
	u64 to = s.found;
	if (to < len)
		rt_tok_keep(st, RT_TMP0 + to, len - to);
	else
		map_delete(MAP(TOK), &thread);
	return rt_scratch_str(st, RT_TMP0 + from, to - from);
}

inline_ u32
digit(u32 c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'z' ? c - 'a' + 10 : 99;
}

static long
skip_space(u32 i, void *ctx)
{
	struct span *s = ctx;
	u32 c = CHAR(s->st, s->a + i);
	if (c == ' ' || (c >= '\t' && c <= '\r'))
		return 0;
	s->found = i;
	return 1;
}

static long
add_digit(u32 i, void *ctx)
{
	struct span *s = ctx;
	u32 d = digit(CHAR(s->st, s->x + i));
	if (d >= s->n)
		return 1;
	s->y = s->y * s->n + d;
	return 0;
}

SUBR(STRTOLL)
{
	if (!st)
		return 0;
	u64 base = n > 1 ? b : 10;
	if (base < 2 || base > 36)
		return fail(st, ILLOP, 0);
	u64 fault = str(st, RT_TMP0, a), len = st->len;
	if (fault)
		return fault;
	struct span s = {.st = st, .a = RT_TMP0, .n = base, .found = len};
	loop(len, skip_space, &s, 0);
	u64 i = s.found, minus = CHAR(st, RT_TMP0 + i) == '-';
	if (minus || CHAR(st, RT_TMP0 + i) == '+')
		i++;
	if (base == 16 && i + 2 < len && CHAR(st, RT_TMP0 + i) == '0' && (CHAR(st, RT_TMP0 + i + 1) | 0x20) == 'x' &&
	    digit(CHAR(st, RT_TMP0 + i + 2)) < 16)
		i += 2;
	s.x = RT_TMP0 + i;
	if (i < len)
		loop(len - i, add_digit, &s, 0);
	return result(st, minus ? -s.y : s.y);
}

static long
put_digit(u32 i, void *ctx)
{
	struct span *s = ctx;
	u64 d = s->x % s->n;
	s->a--;
	CHAR(s->st, s->a) = d < 10 ? '0' + d : 'a' + d - 10;
	s->x /= s->n;
	return ends(s->x == 0);
}

/* Only base 10 has a sign. Bases 8 and 16 are written as in C. */
SUBR(LLTOSTR)
{
	if (!st)
		return 0;
	u64 base = n > 1 ? b : 10;
	if (base < 2 || base > 36)
		return fail(st, ILLOP, 0);
	u64 minus = base == 10 && (s64)a < 0, end = RT_TMP0 + 80;
	struct span s = {.st = st, .a = end, .x = minus ? -a : a, .n = base};
	loop(64, put_digit, &s, 0);
	u64 at = s.a;
	if (base == 16)
		CHAR(st, --at) = 'x';
	if (base == 16 || (base == 8 && CHAR(st, at) != '0'))
		CHAR(st, --at) = '0';
	if (minus)
		CHAR(st, --at) = '-';
	return rt_scratch_str(st, at, end - at);
}

static long
change_case(u32 i, void *ctx)
{
	struct span *s = ctx;
	u64 c = CHAR(s->st, s->a + i);
	if (c >= s->x && c <= s->x + 25)
		CHAR(s->st, s->a + i) = c ^ 0x20;
	return 0;
}

inline_ u64
map_case(struct rt *st, u64 a, u64 first)
{
	u64 fault = str(st, RT_TMP0, a);
	if (fault)
		return fault;
	struct span s = {.st = st, .a = RT_TMP0, .x = first};
	loop(st->len, change_case, &s, 0);
	return rt_scratch_str(st, RT_TMP0, st->len);
}

SUBR(TOLOWER)
{
	return st ? map_case(st, a, 'A') : 0;
}

SUBR(TOUPPER)
{
	return st ? map_case(st, a, 'a') : 0;
}

/* ---- paths ---- */

inline_ long
back_over(struct span *s, int slashes)
{
	if (s->n == 0 || (CHAR(s->st, s->a + s->n - 1) == '/') != slashes)
		return 1;
	s->n--;
	return 0;
}

static long
back_over_slash(u32 i, void *ctx)
{
	return back_over(ctx, 1);
}

static long
back_over_name(u32 i, void *ctx)
{
	return back_over(ctx, 0);
}

inline_ u64
one_char(struct rt *st, char c)
{
	st->mem[RT_TMP0] = c;
	return rt_scratch_str(st, RT_TMP0, 1);
}

SUBR(BASENAME)
{
	if (!st)
		return 0;
	u64 fault = str(st, RT_TMP0, a), len = st->len;
	if (fault)
		return fault;
	if (len == 0)
		return one_char(st, '.');
	struct span s = {.st = st, .a = RT_TMP0, .n = len};
	loop(len, back_over_slash, &s, 0);
	u64 end = s.n;
	if (end == 0)
		return one_char(st, '/');
	loop(len, back_over_name, &s, 0);
	return rt_scratch_str(st, RT_TMP0 + s.n, end - s.n);
}

SUBR(DIRNAME)
{
	if (!st)
		return 0;
	u64 fault = str(st, RT_TMP0, a), len = st->len;
	if (fault)
		return fault;
	struct span s = {.st = st, .a = RT_TMP0, .n = len};
	loop(len, back_over_slash, &s, 0);
	if (s.n == 0)
		return one_char(st, len ? '/' : '.');
	loop(len, back_over_name, &s, 0);
	if (s.n == 0)
		return one_char(st, '.');
	loop(len, back_over_slash, &s, 0);
	return s.n ? rt_scratch_str(st, RT_TMP0, s.n) : one_char(st, '/');
}

/* cleanpath() keeps its place in st->work. */
enum {
	CP_N,     /* bytes of the result */
	CP_START, /* where the component at its end starts, with the slash before it */
	CP_LEN,   /* bytes of that component */
	CP_ROOT,  /* 1: an absolute path */
	CP_UP,    /* how many components ".." can take away */
};

fn_ u64
rt_path_end(struct rt *st)
{
	if (!st)
		return 0;
	u64 at = RT_TMP1 + st->work[CP_N], len = st->work[CP_LEN];
	int dot = CHAR(st, at - 1) == '.', dots = dot && CHAR(st, at - 2) == '.';
	st->work[CP_LEN] = 0;
	if (len == 1 && dot) {
		st->work[CP_N] = st->work[CP_START];
	} else if (len == 2 && dots && st->work[CP_UP]) {
		struct span up = {.st = st, .a = RT_TMP1, .n = st->work[CP_START]};
		loop(RT_MAXSTR, back_over_name, &up, 0);
		st->work[CP_N] = up.n > st->work[CP_ROOT] ? up.n - 1 : st->work[CP_ROOT];
		st->work[CP_UP]--;
	} else if (len == 2 && dots) {
		if (st->work[CP_ROOT])
			st->work[CP_N] = st->work[CP_START];
	} else if (len) {
		st->work[CP_UP]++;
	}
	return 0;
}

static long
clean_char(u32 i, void *ctx)
{
	struct span *s = ctx;
	struct rt *st = s->st;
	char c = CHAR(st, RT_TMP0 + i);
	if (c == '/' || c == 0) {
		rt_path_end(st);
		return 0;
	}
	if (st->work[CP_LEN] == 0) {
		st->work[CP_START] = st->work[CP_N];
		if (st->work[CP_N] > st->work[CP_ROOT]) {
			CHAR(st, RT_TMP1 + st->work[CP_N]) = '/';
			st->work[CP_N]++;
		}
	}
	CHAR(st, RT_TMP1 + st->work[CP_N]) = c;
	st->work[CP_N]++;
	st->work[CP_LEN]++;
	return 0;
}

SUBR(CLEANPATH)
{
	if (!st)
		return 0;
	u64 fault = str(st, RT_TMP0, a), len = st->len;
	if (fault)
		return fault;
	u64 root = st->mem[RT_TMP0] == '/';
	st->mem[RT_TMP1] = '/';
	st->work[CP_N] = st->work[CP_START] = st->work[CP_ROOT] = root;
	st->work[CP_LEN] = st->work[CP_UP] = 0;
	struct span s = {.st = st};
	/* with the NUL, which ends the last component */
	loop(len + 1, clean_char, &s, 0);
	if (st->work[CP_N] == 0 && len)
		return one_char(st, '.');
	return rt_scratch_str(st, RT_TMP1, st->work[CP_N]);
}

/* ---- network addresses ---- */

inline_ u64
put_decimal(struct rt *st, u64 at, u32 v)
{
	if (v >= 100)
		CHAR(st, at++) = '0' + v / 100;
	if (v >= 10)
		CHAR(st, at++) = '0' + v / 10 % 10;
	CHAR(st, at++) = '0' + v % 10;
	return at;
}

/* The four bytes at offset `from`, as IPv4 has it. */
inline_ u64
put_dotted(struct rt *st, u64 at, u64 from)
{
	for (u32 i = 0; i < 4; i++) {
		if (i)
			CHAR(st, at++) = '.';
		at = put_decimal(st, at, CHAR(st, from + i));
	}
	return at;
}

inline_ u32
hex_digit(u32 v)
{
	return v < 10 ? '0' + v : 'a' + v - 10;
}

fn_ u64
rt_ntop4(struct rt *st, u64 addr)
{
	if (!st)
		return 0;
	u64 fault = rt_read(st, RT_TMP0, addr, 4), at = RT_TMP1;
	if (fault)
		return fault;
	at = put_dotted(st, at, RT_TMP0);
	return rt_scratch_str(st, RT_TMP1, at - RT_TMP1);
}

/* Where the longest run of at least two zero words starts (8: nowhere) and its length, in st->work. */
enum { N6_BEST, N6_LEN, N6_START, N6_RUN, N6_AT };

inline_ u32
word_of(struct rt *st, u64 i)
{
	return (u32)CHAR(st, RT_TMP0 + 2 * i) << 8 | CHAR(st, RT_TMP0 + 2 * i + 1);
}

static long
zero_run(u32 i, void *ctx)
{
	struct rt *st = ((struct span *)ctx)->st;
	if (word_of(st, i)) {
		st->work[N6_RUN] = 0;
		return 0;
	}
	if (!st->work[N6_RUN])
		st->work[N6_START] = i;
	st->work[N6_RUN]++;
	if (st->work[N6_RUN] > 1 && st->work[N6_RUN] > st->work[N6_LEN]) {
		st->work[N6_BEST] = st->work[N6_START];
		st->work[N6_LEN] = st->work[N6_RUN];
	}
	return 0;
}

static long
put_word(u32 i, void *ctx)
{
	struct rt *st = ((struct span *)ctx)->st;
	u64 at = RT_TMP1 + st->work[N6_AT], best = st->work[N6_BEST], end = best + st->work[N6_LEN];
	u32 v = word_of(st, i);
	if (i >= best && i < end) {
		if (i == best) {
			CHAR(st, at++) = ':';
			if (end == 8)
				CHAR(st, at++) = ':';
		}
		st->work[N6_AT] = at - RT_TMP1;
		return 0;
	}
	if (i)
		CHAR(st, at++) = ':';
	if (v >> 12)
		CHAR(st, at++) = hex_digit(v >> 12);
	if (v >> 8)
		CHAR(st, at++) = hex_digit(v >> 8 & 15);
	if (v >> 4)
		CHAR(st, at++) = hex_digit(v >> 4 & 15);
	CHAR(st, at++) = hex_digit(v & 15);
	st->work[N6_AT] = at - RT_TMP1;
	return 0;
}

/* only4: an IPv4 address inside it is written without the prefix. */
fn_ u64
rt_ntop6(struct rt *st, u64 addr, u64 only4)
{
	if (!st)
		return 0;
	u64 fault = rt_read(st, RT_TMP0, addr, 16);
	if (fault)
		return fault;
	st->work[N6_BEST] = 8;
	st->work[N6_LEN] = st->work[N6_RUN] = st->work[N6_AT] = 0;
	struct span s = {.st = st};
	loop(8, zero_run, &s, 0);
	/* IPv4 in IPv6 is written so: ::ffff:1.2.3.4 and ::1.2.3.4 */
	int v4 = st->work[N6_BEST] == 0 && (st->work[N6_LEN] == 6 || (st->work[N6_LEN] == 7 && word_of(st, 7) != 1) ||
					       (st->work[N6_LEN] == 5 && word_of(st, 5) == 0xffff));
	if (!v4 || !only4)
		loop(v4 ? 6 : 8, put_word, &s, 0);
	u64 at = RT_TMP1 + st->work[N6_AT];
	if (v4) {
		if (!only4)
			CHAR(st, at++) = ':';
		at = put_dotted(st, at, RT_TMP0 + 12);
	}
	return rt_scratch_str(st, RT_TMP1, at - RT_TMP1);
}

SUBR(INET_NTOA)
{
	return rt_ntop4(st, a);
}

SUBR(INET_NTOA6)
{
	return rt_ntop6(st, a, n < 2 || !b);
}

SUBR(INET_NTOP)
{
	if (!st)
		return 0;
	if ((u32)a == 2)
		return rt_ntop4(st, b);
	if ((u32)a == 10)
		return rt_ntop6(st, b, 0);
	return fail(st, ILLOP, 0);
}

static long
put_byte(u32 i, void *ctx)
{
	struct rt *st = ((struct span *)ctx)->st;
	u64 at = RT_TMP1 + 3 * (u64)i;
	u32 v = CHAR(st, RT_TMP0 + i);
	CHAR(st, at) = hex_digit(v >> 4);
	CHAR(st, at + 1) = hex_digit(v & 15);
	CHAR(st, at + 2) = ':';
	return 0;
}

/* Hardware addresses, of Ethernet and InfiniBand: bytes in hexadecimal with colons. */
SUBR(LINK_NTOP)
{
	if (!st)
		return 0;
	u64 len = (u32)a == 1 ? 6 : (u32)a == 32 ? 20 : 0;
	if (!len)
		return fail(st, ILLOP, 0);
	u64 fault = rt_read(st, RT_TMP0, b, len);
	if (fault)
		return fault;
	struct span s = {.st = st};
	loop(len, put_byte, &s, 0);
	return rt_scratch_str(st, RT_TMP1, 3 * len - 1);
}
