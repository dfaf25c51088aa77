# Random expressions on variables of every integer type give what a C program with the same expressions gives,
# and the same expressions on constants, which the compiler folds, give it too.
# @@timeout: 60

command -v "${CC:-cc}" > /dev/null 2>&1 || { echo "needs a C compiler" >&2; exit 67; }

cat > gen.awk <<'EOF'
function pick(list, parts) { return parts[1 + int(rand() * split(list, parts, "|"))] }
function leaf(k) {
	if (rand() < 0.2)
		return pick("0|1|2|5|127|255|0x7fffffff|0xffffffff|1L|3u|'a'|100000|0xfffffffffffUL")
	k = 1 + int(rand() * nvars)
	return constant ? "(" literal[k] ")" : name[k]
}
# The random numbers must be the same for variables and constants, so nothing here depends on `constant` but leaf().
function expr(d, r) {
	if (d == 0)
		return leaf()
	r = rand()
	if (r < 0.45)
		return "(" expr(d - 1) pick(" + | - | * | & | ^ | < | <= | > | >= | == | != | && ") expr(d - 1) ")"
	if (r < 0.55)
		return "(" expr(d - 1) " | " expr(d - 1) ")"
	if (r < 0.65)
		return "(" expr(d - 1) pick(" / | % ") pick("3|7|-5|11u|13L|1000003UL") ")"
	if (r < 0.75)
		return "(" expr(d - 1) pick(" << | >> ") int(rand() * 32) ")"
	if (r < 0.85)
		return "(" pick("-|~|!|+") "(" expr(d - 1) "))"
	if (r < 0.93)
		return "((" pick("char|unsigned char|short|unsigned short|int|unsigned|long|unsigned long") ")" expr(d - 1) ")"
	return "(" expr(d - 1) " ? " expr(d - 1) " : " expr(d - 1) ")"
}
BEGIN {
	n = split("char|unsigned char|short|unsigned short|int|unsigned|long|unsigned long", type, "|")
	srand(seed)
	print "#include <stdio.h>" > "t.c"
	print "#pragma D option quiet" > "t.d"
	for (i = 1; i <= n; i++) {
		for (j = 0; j < 2; j++) {
			name[++nvars] = "v" nvars
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
		for (constant = 0; constant < 2; constant++) {
			srand(again)
			e = expr(1 + i % 4)
			print "printf(\"%d %ld\\n\", " i ", (long)" (constant ? was : e) ");" > "t.c"
			print "BEGIN { printf(\"%d %d\\n\", " i ", (long)" e "); }" > "t.d"
			was = e
		}
		srand(again + i)
	}
	print "return 0; }" > "t.c"
	print "BEGIN { exit(0); }" > "t.d"
}
EOF

for seed in 1 2 3; do
	awk -v seed=$seed -f gen.awk || exit 1
	"${CC:-cc}" -w -O0 -fwrapv -o t t.c || exit 1
	./t > want || exit 1
	"$ERLTRACE" -s t.d > got || exit 1
	echo >> want
	cmp -s want got || { echo "seed $seed:"; diff want got | head -5; exit 1; }
done
exit 0
