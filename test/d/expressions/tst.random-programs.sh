# Random programs give what D's rules say, worked out by a C program that computes each step in 64 bits. A program is a
# clause of its own: some statements (assignments of every kind, to global, thread-local and clause-local variables and
# elements of arrays, ++ and --, if and else) and a printf() of the variables that they may have changed.
#
# By hand with more of them, and on several engines: COUNT=100000 ENGINES="user kernel" build/test/run -t 36000 THIS
# (without the next line)
# @@timeout: 60

command -v "${CC:-cc}" > /dev/null 2>&1 || { echo "needs a C compiler" >&2; exit 67; }

cat > gen.awk <<'EOF'
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


# What a variable holds goes on from one program to the next of a file, as in C.
left=${COUNT:-200} each=100 seed=${SEED:-1} done=0
while [ "$left" -gt 0 ]; do
	[ "$left" -ge $each ] || each=$left
	awk -v seed=$seed -v count=$each -f "$srcdir/random.awk" -f gen.awk || exit 1
	"${CC:-cc}" -w -O0 -fwrapv -fsigned-char -I"$srcdir" -o t t.c || exit 1
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
