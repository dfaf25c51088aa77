# Random expressions on variables of every integer type give what D's rules say, worked out by a C program that
# computes each step in 64 bits: the result has the wider operand's type, the unsigned one of two equally wide ones,
# and nothing is cut but by a cast. The same expressions on constants, which the compiler folds, give it too.
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
	C = "((long)" name[k] ")"
	T = kind[k]
	return constant ? "(" literal[k] ")" : name[k]
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
BEGIN {
	split("char|unsigned char|short|unsigned short|int|unsigned|long|unsigned long", type, "|")
	split(" + , - , * , & , ^ , | , < , <= , > , >= , == , != , && , / , % , << , >> ", ops, ",")
	split("add,sub,mul,and,xor,or,lt,le,gt,ge,eq,ne,land,div,mod,shl,shr", words, ",")
	for (i = 1; i <= 17; i++)
		names[ops[i]] = words[i]
	unary["-"] = "neg"; unary["~"] = "~"; unary["!"] = "!"; unary["+"] = ""
	srand(seed)
	print "#include <stdio.h>\n#include \"steps.h\"" > "t.c"
	print "#pragma D option quiet" > "t.d"
	for (i = 1; i <= 8; i++) {
		for (j = 0; j < 2; j++) {
			name[++nvars] = "v" nvars
			kind[nvars] = i - 1
			literal[nvars] = "(" type[i] ")" pick("0|1|-1|-2|77|-128|255|32767|65535|-70000|2147483647|4000000000u|-5000000000L|9223372036854775807L")
			print type[i] " " name[nvars] " = " literal[nvars] ";" > "t.c"
			print type[i] " " name[nvars] ";" > "t.d"
			set = set name[nvars] " = " literal[nvars] "; "
		}
	}
	print "int main(void) {" > "t.c"
	print "BEGIN { " set "}" > "t.d"
	for (i = 0; i < 150; i++) {
		again = int(rand() * 1000000)
		# The random numbers are the same for variables and constants: only leaf() looks at `constant`.
		for (constant = 0; constant < 2; constant++) {
			srand(again)
			e = expr(1 + i % 4)
			print "printf(\"%d %ld\\n\", " i ", " cast(C, T, 6) ");" > "t.c"
			print "BEGIN { printf(\"%d %d\\n\", " i ", (long)" e "); }" > "t.d"
		}
		srand(again + i)
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

for seed in 1 2 3 4 5; do
	awk -v seed=$seed -f gen.awk || exit 1
	"${CC:-cc}" -w -O0 -fwrapv -o t t.c || exit 1
	./t > want || exit 1
	"$ERLTRACE" -s t.d > got || exit 1
	echo >> want
	cmp -s want got || { echo "seed $seed:"; diff want got | head -5; exit 1; }
done
exit 0
