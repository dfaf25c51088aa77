# One clause fills 130 aggregations of several functions, and one printa() shows all, each in its place.
awk 'BEGIN { n = 130; split("sum max min", fn); print "BEGIN {"
	for (i = 1; i <= n; i++) printf "@a%d[7] = %s(%d);\n", i, fn[1 + i % 3], i
	print "} tick-10ms {"
	printf "printa(\"%%d"; for (i = 1; i <= n; i++) printf " %%@d"; printf "\\n\""
	for (i = 1; i <= n; i++) printf ", @a%d", i; print "); exit(0); }" }' >many.d
"$ERLTRACE" -qs many.d | awk 'NF { ok = $1 == 7 && NF == 131; for (i = 2; i <= NF; i++) ok = ok && $i == i - 1; print ok ? "all of them" : $0 }'
# The same with distributions of as many sizes, without keys: each has its value in its own row.
awk 'BEGIN { n = 70; print "BEGIN {"
	for (i = 1; i <= n; i++) printf "@a%d = lquantize(%d, 0, %d, 1, %d);\n", i, 3 * i - 1, 3 * i, i
	print "exit(0); } END {"
	for (i = 1; i <= n; i++) printf "printa(@a%d);\n", i
	print "}" }' >sizes.d
"$ERLTRACE" -qs sizes.d | awk '$2 ~ /^[|]@+$/ && $3 { n++; if ($1 != 3 * n - 1 || $3 != n) print "row", n, $0 } END { print n }'
