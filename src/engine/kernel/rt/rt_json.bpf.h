/*
 * json(): a part of rt.bpf.c. Like the user engine's (engine/user/subr_json.c), but flat: functions may call each other
 * at most eight deep, including clauses and loops, so the steps of the path and the members of an object are turns of
 * one loop.
 *
 * The text is in RT_TMP0, the path in RT_TMP1; a NUL ends both. Everything that changes is in st->work.
 */
enum {
	JS_AT,   /* offset of the next byte of the text */
	JS_PATH, /* of the path */
	JS_MODE,
	JS_NAME, /* the step of the path: a member's name and its length, or an element's number */
	JS_NAMELEN,
	JS_INDEX,
	JS_FROM, /* what was read last */
	JS_LEN,
	JS_FLAG,
	JS_DEPTH,
	JS_TO,
};
enum { JM_STEP, JM_MEMBER, JM_ELEMENT, JM_FOUND };
enum { JS_TURNS = 2 * RT_MAXSTR };

inline_ u32
text_char(struct rt *st)
{
	return CHAR(st, RT_TMP0 + st->work[JS_AT]);
}

inline_ u32
path_char(struct rt *st)
{
	return CHAR(st, RT_TMP1 + st->work[JS_PATH]);
}

static long
js_blank(u32 i, void *ctx)
{
	struct rt *st = ((struct span *)ctx)->st;
	u32 c = text_char(st);
	if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
		return 1;
	st->work[JS_AT]++;
	return 0;
}

/* Returns the next byte that is not blank, or 0 at the end. */
inline_ u32
js_peek(struct rt *st, struct span *s)
{
	loop(RT_MAXSTR, js_blank, s, 0);
	return text_char(st);
}

static long
js_in_string(u32 i, void *ctx)
{
	struct rt *st = ((struct span *)ctx)->st;
	u32 c = text_char(st);
	if (c == 0 || (c == '"' && !st->work[JS_FLAG]))
		return 1;
	st->work[JS_FLAG] = c == '\\' && !st->work[JS_FLAG];
	st->work[JS_AT]++;
	return 0;
}

/* Moves past a string, whose quote is next, and gives what is between the quotes. Returns 0 if it does not end. */
inline_ u32
js_string(struct rt *st, struct span *s)
{
	st->work[JS_AT]++;
	st->work[JS_FROM] = st->work[JS_AT];
	st->work[JS_FLAG] = 0;
	loop(RT_MAXSTR, js_in_string, s, 0);
	if (text_char(st) != '"')
		return 0;
	st->work[JS_LEN] = st->work[JS_AT] - st->work[JS_FROM];
	st->work[JS_AT]++;
	return 1;
}

/* JS_FLAG: 0 outside strings, 1 in one, 2 behind a backslash there. */
static long
js_in_brackets(u32 i, void *ctx)
{
	struct rt *st = ((struct span *)ctx)->st;
	u32 c = text_char(st);
	u64 flag = st->work[JS_FLAG];
	if (c == 0)
		return 1;
	st->work[JS_AT]++;
	if (flag) {
		st->work[JS_FLAG] = flag == 2 ? 1 : c == '\\' ? 2 : c == '"' ? 0 : 1;
		return 0;
	}
	if (c == '"')
		st->work[JS_FLAG] = 1;
	else if (c == '{' || c == '[')
		st->work[JS_DEPTH]++;
	else if (c == '}' || c == ']')
		st->work[JS_DEPTH]--;
	return ends(st->work[JS_DEPTH] == 0);
}

static long
js_in_word(u32 i, void *ctx)
{
	struct rt *st = ((struct span *)ctx)->st;
	u32 c = text_char(st), l = c | 0x20;
	if (c != '+' && c != '-' && c != '.' && c != '_' && (c < '0' || c > '9') && (l < 'a' || l > 'z'))
		return 1;
	st->work[JS_AT]++;
	return 0;
}

/* Moves past a value of any kind and gives its text; strings keep their quotes. Returns 0 if it is not a value. */
fn_ u64
rt_js_value(struct rt *st)
{
	if (!st)
		return 0;
	struct span s = {.st = st};
	u32 c = js_peek(st, &s);
	u64 from = st->work[JS_AT];
	if (c == '"') {
		if (!js_string(st, &s))
			return 0;
	} else if (c == '{' || c == '[') {
		st->work[JS_FLAG] = st->work[JS_DEPTH] = 0;
		loop(RT_MAXSTR, js_in_brackets, &s, 0);
		if (st->work[JS_DEPTH])
			return 0;
	} else {
		loop(RT_MAXSTR, js_in_word, &s, 0);
	}
	st->work[JS_FROM] = from;
	st->work[JS_LEN] = st->work[JS_AT] - from;
	return st->work[JS_LEN] != 0;
}

static long
js_name_end(u32 i, void *ctx)
{
	struct rt *st = ((struct span *)ctx)->st;
	u32 c = path_char(st);
	if (c == 0 || c == '.' || c == '[')
		return 1;
	st->work[JS_PATH]++;
	return 0;
}

static long
js_digit(u32 i, void *ctx)
{
	struct rt *st = ((struct span *)ctx)->st;
	u32 c = path_char(st);
	if (c < '0' || c > '9')
		return 1;
	if (st->work[JS_INDEX] < 0xffffffff)
		st->work[JS_INDEX] = st->work[JS_INDEX] * 10 + (c - '0');
	st->work[JS_PATH]++;
	return 0;
}

/* Takes the next step of the path, to be looked for in what follows in the text. Returns 0 if it leads nowhere. */
fn_ u64
rt_js_step(struct rt *st)
{
	if (!st)
		return 0;
	struct span s = {.st = st};
	if (path_char(st) == '[') {
		u64 from = ++st->work[JS_PATH];
		st->work[JS_INDEX] = 0;
		loop(RT_MAXSTR, js_digit, &s, 0);
		if (st->work[JS_PATH] == from || path_char(st) != ']')
			return 0;
		st->work[JS_PATH]++;
		st->work[JS_MODE] = JM_ELEMENT;
	} else {
		st->work[JS_NAME] = st->work[JS_PATH];
		loop(RT_MAXSTR, js_name_end, &s, 0);
		st->work[JS_NAMELEN] = st->work[JS_PATH] - st->work[JS_NAME];
		st->work[JS_MODE] = JM_MEMBER;
	}
	if (path_char(st) == '.')
		st->work[JS_PATH]++;
	return js_peek(st, &s) == (st->work[JS_MODE] == JM_MEMBER ? '{' : '[');
}

static long
js_same(u32 i, void *ctx)
{
	struct rt *st = ((struct span *)ctx)->st;
	if (CHAR(st, RT_TMP0 + st->work[JS_FROM] + i) == CHAR(st, RT_TMP1 + st->work[JS_NAME] + i))
		return 0;
	st->work[JS_FLAG] = 1;
	return 1;
}

/* Reads the name of a member and the colon behind it. JS_FLAG becomes 0 if it is the one of the path. Returns 0 if
 * the text is wrong. */
fn_ u64
rt_js_key(struct rt *st)
{
	if (!st)
		return 0;
	struct span s = {.st = st};
	if (js_peek(st, &s) != '"' || !js_string(st, &s) || js_peek(st, &s) != ':')
		return 0;
	st->work[JS_AT]++;
	st->work[JS_FLAG] = st->work[JS_LEN] != st->work[JS_NAMELEN];
	if (!st->work[JS_FLAG])
		loop(st->work[JS_LEN], js_same, &s, 0);
	return 1;
}

/* Whether another member or element follows. */
fn_ u64
rt_js_comma(struct rt *st)
{
	if (!st)
		return 0;
	struct span s = {.st = st};
	return js_peek(st, &s) == ',';
}

static long
js_turn(u32 i, void *ctx)
{
	struct rt *st = ((struct span *)ctx)->st;
	if (st->work[JS_MODE] == JM_STEP) {
		if (path_char(st) != 0)
			return ends(!rt_js_step(st));
		st->work[JS_MODE] = JM_FOUND;
		return 1;
	}
	st->work[JS_AT]++; /* over the bracket or the comma */
	if (st->work[JS_MODE] == JM_MEMBER) {
		if (!rt_js_key(st))
			return 1;
		if (!st->work[JS_FLAG]) {
			st->work[JS_MODE] = JM_STEP;
			return 0;
		}
	} else if (st->work[JS_INDEX]-- == 0) {
		st->work[JS_MODE] = JM_STEP;
		return 0;
	}
	return ends(!rt_js_value(st) || !rt_js_comma(st));
}

static long
js_unescape(u32 i, void *ctx)
{
	struct rt *st = ((struct span *)ctx)->st;
	u32 c = CHAR(st, RT_TMP0 + st->work[JS_FROM]), into = 0;
	if (st->work[JS_LEN] == 0)
		return 1;
	st->work[JS_FROM]++;
	st->work[JS_LEN]--;
	if (c == '\\' && st->work[JS_LEN]) {
		u32 k = CHAR(st, RT_TMP0 + st->work[JS_FROM]);
		into = k == 'b'                            ? '\b'
		       : k == 'f'                          ? '\f'
		       : k == 'n'                          ? '\n'
		       : k == 'r'                          ? '\r'
		       : k == 't'                          ? '\t'
		       : k == '"' || k == '\\' || k == '/' ? k
							   : 0;
	}
	if (into) {
		st->work[JS_FROM]++;
		st->work[JS_LEN]--;
	}
	CHAR(st, RT_TMP1 + st->work[JS_TO]) = into ? into : c;
	st->work[JS_TO]++;
	return 0;
}

SUBR(JSON)
{
	u64 na = 0, nb = 0;
	if (!st)
		return 0;
	u64 fault = two(st, a, b, &na, &nb);
	if (fault)
		return fault;
	struct span s = {.st = st};
	st->res = 0;
	st->work[JS_AT] = st->work[JS_PATH] = st->work[JS_MODE] = st->work[JS_TO] = 0;
	if (nb)
		loop(JS_TURNS, js_turn, &s, 0);
	/* "]" is not an element: the array has no more. */
	if (st->work[JS_MODE] != JM_FOUND || !rt_js_value(st))
		return 0;
	if (CHAR(st, RT_TMP0 + st->work[JS_FROM]) != '"')
		return rt_scratch_str(st, RT_TMP0 + st->work[JS_FROM], st->work[JS_LEN]);
	st->work[JS_FROM]++;
	st->work[JS_LEN] -= 2;
	loop(RT_MAXSTR, js_unescape, &s, 0);
	return rt_scratch_str(st, RT_TMP1, st->work[JS_TO]);
}
