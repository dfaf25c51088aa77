# Random expressions on variables of every integer type give what D's rules say, worked out by a C program that
# computes each step in 64 bits: the result has the wider operand's type, the unsigned one of two equally wide ones,
# and nothing is cut but by a cast. The same expressions on constants, which the compiler folds, give it too.
# @@timeout: 60

command -v "${CC:-cc}" > /dev/null 2>&1 || { echo "needs a C compiler" >&2; exit 67; }

cat > gen.awk <<'EOF'
BEGIN {
	print "#pragma D option quiet" > "t.d"
	for (i = 1; i <= 8; i++) {
		for (j = 0; j < 2; j++) {
			name[++nvars] = "v" nvars
			cname[nvars] = name[nvars]
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

for seed in 1 2 3 4 5; do
	awk -v seed=$seed -f "$srcdir/random.awk" -f gen.awk || exit 1
	"${CC:-cc}" -w -O0 -fwrapv -fsigned-char -I"$srcdir" -o t t.c || exit 1
	./t > want || exit 1
	"$ERLTRACE" -s t.d > got || exit 1
	echo >> want
	cmp -s want got || { echo "seed $seed:"; diff want got | head -5; exit 1; }
done
exit 0
