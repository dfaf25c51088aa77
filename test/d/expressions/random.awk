# Random expressions of D, and the same in C as steps of 64 bits (random_steps.h): for tst.random-*.sh, which fill name[], cname[] and kind[],
# of nvars variables.
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
	# a caller may want constants in the place of variables
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
	print "#include <stdio.h>\n#include \"random_steps.h\"" > "t.c"
}
