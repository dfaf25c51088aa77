# The rows of the benchmarks become one table with ratios, a JSON document and a picture.
top=$srcdir/../..
cat >rows <<'END'
{"bench":"vm","what":"call, untraced","value":3.6,"unit":"ns"}
{"bench":"vm","what":"call, empty tracer","value":99.6,"unit":"ns","ratio":27.67,"to":"untraced"}
{"bench":"vm","what":"call, keyed count","value":180.0,"unit":"ns","ratio":50.00,"to":"untraced"}
{"bench":"engine","what":"@[arg0] = count(), 1 key","value":19.0,"unit":"ns","ratio":1.90,"to":"empty clause"}
END
sh "$top/bench/report.sh" rows all.json | sed 's/  */ /g; s/ $//'
# one document: every row is there, and what it was measured on
grep -c '^{"bench":' all.json
head -1 all.json | sed 's/:"[^"]*"/:TEXT/g; s/:[0-9.]*\([,}]\)/:NUMBER\1/g'
tail -1 all.json
awk '/^{"bench"/ && !/},$/' all.json # only the last row has no comma
sh "$top/bench/picture.sh" rows >all.svg
grep -o '>[0-9]* ns [a-z ]*<' all.svg
# the longest bar is as wide as there is room, also where numbers have more digits than others
sed -n 's/^<rect x="150" .*width="\([0-9.]*\)".*>\(.*\)<.*/\2: \1/p' all.svg
tail -1 all.svg
# drawn of the document, it also says what it was measured on
sed '1s/.*/{"version":"1.0","otp":"27","processor":"A<B 3000","processors":2,"load":1.5,"rows":[/' all.json >old.json
sh "$top/bench/picture.sh" old.json | sed -n 's/.*>\(OTP.*\)<.*/\1/p'
# the table of how the cost grows has the numbers of the same document
awk -F'"' '$4 == "growth" && $8 !~ /one array/ {
	table = $8
	sub(/: [^:]*$/, "", table)
	value = $11
	gsub(/[^0-9.]/, "", value)
	if (table != last)
		printf "%s", last == "" ? "" : "\n"
	printf $14 == "ms" ? " %.1f" : " %.0f", value
	last = table
}
END { print "" }' "$top/docs/performance.json" | sort >rows.json
sed -n '/^## How the cost grows/,/^- Keys and processes/p' "$top/docs/performance.md" | grep -e '^| [^*|]' |
	sed 's/^| [^|]*|//; s/|/ /g; s/,//g; s/  */ /g; s/ $//' | grep '^ [0-9]' | sort >rows.md
diff rows.json rows.md >&2 && wc -l <rows.md
# the picture in the documentation is of the numbers beside it
sh "$top/bench/picture.sh" "$top/docs/performance.json" | cmp - "$top/docs/screens/cost.svg" && echo same
