# printa() of more than 64 aggregations without a format shows them in as many columns.
awk 'BEGIN { n = 70; print "BEGIN {"; for (i = 1; i <= n; i++) printf "@a%d[7] = sum(%d);%s\n", i, i, (i == 35 ? " } tick-10ms {" : "")
	printf "printa("; for (i = 1; i <= n; i++) printf "%s@a%d", (i > 1 ? ", " : ""), i; print "); exit(0); }" }' >many.d
"$ERLTRACE" -qs many.d | awk 'NF { print NF, $1, $2, $NF }'
