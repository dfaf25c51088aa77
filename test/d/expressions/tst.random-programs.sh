# Random programs give what D's rules say, worked out by a C program that computes each step in 64 bits. A program is a
# clause of its own: some statements (assignments of every kind, to global, thread-local and clause-local variables and
# elements of arrays, ++ and --, if and else) and a printf() of the variables that they may have changed.
#
# By hand with more of them, and on several engines: COUNT=100000 ENGINES="user kernel" build/test/run -t 36000 THIS
# (without the next line)
# @@timeout: 60

command -v "${CC:-cc}" > /dev/null 2>&1 || { echo "needs a C compiler" >&2; exit 67; }

cat > gen.awk <<'EOF'
# Types have numbers: 2 * log2(bytes), plus one when unsigned. So the larger number is the type of the result.
function pick(list, parts) { return parts[1 + int(rand() * split(list, parts, "|"))] }
# Each function returns D's text, and leaves C's in C and the type in T.
function leaf(k, which, text) {
	if (rand() < 0.2) {
		split("0|1|2|5|127|255|0x7fffffff|0xffffffff|1L|3u|'a'|100000|0xfffffffffffUL", text, "|")
		split("4|4|4|4|4|4|4|5|6|5|4|4|7", which, "|")
		k = 1 + int(rand() * 13)
		C = "((long)" text[k] ")"
		T = which[k]
		return text[k]
	}
	k = 1 + int(rand() * nvars)
	C = "((long)" cname[k] ")"
	T = kind[k]
	return name[k]
}
function binary(op, a, ca, ta, b, cb, tb) {
	T = op ~ /<<|>>/ ? ta : ta > tb ? ta : tb
	sign = (op ~ /<<|>>/ ? ta : ta > tb ? ta : tb) % 2 ? "u" : "s"
	if (op ~ /[<>=!&]=|^ [<>] $|&&/)
		T = 4
	name_of = names[op] ((op ~ /[<>]|[\/%]/ && op !~ /<</) ? sign : "")
	C = name_of "(" ca ", " cb ")"
	return "(" a op b ")"
}
function expr(d, r, a, ca, ta, b, cb, tb, op, k) {
	if (d == 0)
		return leaf()
	r = rand()
	if (r < 0.55) {
		op = pick(" + | - | * | & | ^ | < | <= | > | >= | == | != | && | or ")
		if (op == " or ")
			op = " | "
		a = expr(d - 1); ca = C; ta = T
		b = expr(d - 1); cb = C; tb = T
		return binary(op, a, ca, ta, b, cb, tb)
	}
	if (r < 0.65) {
		op = pick(" / | % ")
		a = expr(d - 1); ca = C; ta = T
		k = 1 + int(rand() * 6)
		split("3|7|-5|11u|13L|1000003UL", divisor, "|")
		split("4|4|4|5|6|7", divtype, "|")
		return binary(op, a, ca, ta, divisor[k], "((long)" divisor[k] ")", divtype[k])
	}
	if (r < 0.75) {
		op = pick(" << | >> ")
		a = expr(d - 1); ca = C; ta = T
		k = int(rand() * 32)
		return binary(op, a, ca, ta, k, k, 4)
	}
	if (r < 0.85) {
		op = pick("-|~|!|+")
		a = expr(d - 1)
		C = unary[op] "(" C ")"
		if (op == "!")
			T = 4
		return "(" op "(" a "))"
	}
	if (r < 0.93) {
		k = int(rand() * 8)
		a = expr(d - 1)
		C = cast(C, T, k)
		T = k
		return "((" type[k + 1] ")" a ")"
	}
	a = expr(d - 1); ca = C
	b = expr(d - 1); cb = C; tb = T
	op = expr(d - 1)
	C = "(" ca " ? " cb " : " C ")"
	T = T > tb ? T : tb
	return "(" a " ? " b " : " op ")"
}
# A cast to a wider type extends the sign of a narrower signed one first.
function cast(c, from, to) {
	if (from % 2 == 0 && int(from / 2) < int(to / 2))
		c = "(long)(" type[from + 1] ")" c
	return "((long)(" type[to + 1] ")(" c "))"
}
# Variables: in D of every kind, in C all are plain ones.
function fill_names(i, j, where) {
	for (i = 0; i < 8; i++)
		for (j = 0; j < 4; j++) {
			nvars++
			kind[nvars] = i
			cname[nvars] = "v" nvars
			name[nvars] = j == 0 ? "v" nvars : j == 1 ? "self->v" nvars : j == 2 ? "this->v" nvars : "v" nvars "[" 1 + nvars % 3 ", \"k\"]"
			where = j == 1 ? "self " : j == 2 ? "this " : ""
			print "static " type[i + 1] " " cname[nvars] ";" > "t.c"
			print where type[i + 1] " v" nvars (j == 3 ? "[int, string]" : "") ";" > "t.d"
		}
}
# One statement: returns D's text, and leaves C's in S.
function statement(d, k, e, op, a, s) {
	k = 1 + int(rand() * nvars)
	e = rand()
	if (d > 0 && e < 0.2) {
		a = expr(2); s = "if (" C ") { "
		a = "if (" a ") { " statement(d - 1); s = s S " } else { "
		a = a " } else { " statement(d - 1); s = s S " }"
		S = s
		return a " }"
	}
	used[k] = 1
	if (e < 0.35) {
		op = pick("++|--")
		S = cname[k] " = " cast((op == "++" ? "add" : "sub") "((long)" cname[k] ", 1)", kind[k], kind[k]) ";"
		return rand() < 0.5 ? name[k] op ";" : op name[k] ";"
	}
	if (e < 0.65) {
		op = pick(" + | - | * | & | ^ ")
		a = expr(2)
		S = cname[k] " = " cast(names[op] "((long)" cname[k] ", " C ")", kind[k], kind[k]) ";"
		sub(/ $/, "= ", op)
		return name[k] op a ";"
	}
	a = expr(1 + int(rand() * 3))
	# What is stored is cut to the variable's type, and not to that of the expression before.
	S = cname[k] " = " cast(C, kind[k], kind[k]) ";"
	return name[k] " = " a ";"
}
BEGIN {
	split("char|unsigned char|short|unsigned short|int|unsigned|long|unsigned long", type, "|")
	split(" + , - , * , & , ^ , | , < , <= , > , >= , == , != , && , / , % , << , >> ", ops, ",")
	split("add,sub,mul,and,xor,or,lt,le,gt,ge,eq,ne,land,div,mod,shl,shr", words, ",")
	for (i = 1; i <= 17; i++)
		names[ops[i]] = words[i]
	unary["-"] = "neg"; unary["~"] = "~"; unary["!"] = "!"; unary["+"] = ""
	srand(seed)
	print "#include <stdio.h>\n#include \"steps.h\"" > "t.c"
	print "#pragma D option quiet\n#pragma D option bufsize=16m" > "t.d"
	fill_names()
	print "int main(void) {" > "t.c"
	for (i = 1; i <= count; i++) {
		split("", used)
		d = c = ""
		for (j = 2 + int(rand() * 4); j > 0; j--) {
			d = d statement(2) " "
			c = c S " "
		}
		fmt = args = cargs = ""
		for (k in used) {
			fmt = fmt " %d"
			args = args ", (long)" name[k]
			cargs = cargs ", (long)" cname[k]
		}
		cfmt = fmt
		gsub(/%d/, "%ld", cfmt)
		print "{ " c "printf(\"" i cfmt "\\n\"" cargs "); }" > "t.c"
		print "BEGIN { " d "printf(\"" i fmt "\\n\"" args "); }" > "t.d"
	}
	print "return 0; }" > "t.c"
	print "BEGIN { exit(0); }" > "t.d"
}
EOF
cat > steps.h <<'EOF'
typedef unsigned long ul;
#define STEP(name, expr) static inline long name(long a, long b) { return (long)(expr); }
STEP(add, (ul)a + (ul)b) STEP(sub, (ul)a - (ul)b) STEP(mul, (ul)a * (ul)b)
STEP(and, a & b) STEP(xor, a ^ b) STEP(or, a | b) STEP(land, a && b)
STEP(eq, a == b) STEP(ne, a != b)
STEP(lts, a < b) STEP(ltu, (ul)a < (ul)b) STEP(les, a <= b) STEP(leu, (ul)a <= (ul)b)
STEP(gts, a > b) STEP(gtu, (ul)a > (ul)b) STEP(ges, a >= b) STEP(geu, (ul)a >= (ul)b)
STEP(divs, a / b) STEP(divu, (ul)a / (ul)b) STEP(mods, a % b) STEP(modu, (ul)a % (ul)b)
STEP(shl, (ul)a << (b & 63)) STEP(shrs, a >> (b & 63)) STEP(shru, (ul)a >> (b & 63))
static inline long neg(long a) { return (long)-(ul)a; }
EOF


# What a variable holds goes on from one program to the next of a file, as in C.
left=${COUNT:-200} each=100 seed=${SEED:-1} done=0
while [ "$left" -gt 0 ]; do
	[ "$left" -ge $each ] || each=$left
	awk -v seed=$seed -v count=$each -f gen.awk || exit 1
	"${CC:-cc}" -w -O0 -fwrapv -o t t.c || exit 1
	./t > want || exit 1
	echo >> want
	for engine in ${ENGINES:-as-given}; do
		[ $engine = as-given ] && option= || option=-xengine=$engine
		"$ERLTRACE" $option -xmaxfire=1s -s t.d > got 2> err || { cat err >&2; exit 1; }
		cmp -s want got || { echo "seed $seed, engine $engine:"; diff want got | head -5; cat err; exit 1; }
	done
	left=$((left - each)) seed=$((seed + 1)) done=$((done + each))
	[ -z "$COUNT" ] || echo "$done programs" > progress
done
exit 0
