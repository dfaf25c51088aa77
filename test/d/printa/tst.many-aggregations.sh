# printa() takes more than 64 aggregations, each in its place.
awk 'BEGIN { n = 70; print "BEGIN {"; for (i = 1; i <= n; i++) printf "@a%d[7] = sum(%d);%s\n", i, i, (i == 35 ? " } tick-10ms {" : "")
	printf "printa(\"%%d"; for (i = 1; i <= n; i++) printf " %%@d"; printf "\\n\""
	for (i = 1; i <= n; i++) printf ", @a%d", i; print "); exit(0); }" }' >many.d
"$ERLTRACE" -qs many.d | awk 'NF { ok = $1 == 7 && NF == 71; for (i = 2; i <= NF; i++) ok = ok && $i == i - 1; print ok ? "all of them" : $0 }'
