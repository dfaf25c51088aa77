#!/bin/sh
# picture.sh FILE: draws what an event costs in the VM by ways of tracing, as SVG, from the rows of bench_tracer.erl. FILE
# is bench.json, or the rows that it is made of. If the file says what it was measured on, the picture does.
awk -F'"' '
$2 == "version" { # the first line of the document
	number = "[^0-9.]"
	processors = $15; load = $17
	gsub(number, "", processors); gsub(number, "", load)
	measured = "OTP " $8 ", " $12 ", " processors " processors, load " load
	gsub(/[^0-9A-Za-z.,() @-]/, "", measured)
}
$4 != "vm" { next }
{
	split($8, name, ", ")
	value = $11
	gsub(/[^0-9.]/, "", value)
	if (name[2] == "empty tracer")
		kinds[++nkinds] = name[1]
	ns[name[1], name[2]] = value + 0
}
END {
	nways = split("untraced|empty tracer|keyed count|quantize|dbg", ways, "|")
	split("#9aa0a6|#5f6368|#1a73e8|#12a4af|#d93025", colors, "|")
	bar = 13; group = nways * bar + 22; left = 150; width = 520
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"11\">\n", left + width + 130, nkinds * group + 40
	printf "<title>ns of CPU time for one operation, by ways of tracing</title>\n"
	printf "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n"
	for (k = 1; k <= nkinds; k++) {
		kind = kinds[k]
		most = 0
		for (w = 1; w <= nways; w++)
			most = ns[kind, ways[w]] > most ? ns[kind, ways[w]] : most
		y = (k - 1) * group + 20
		printf "<text x=\"10\" y=\"%d\" font-weight=\"bold\">%s</text>\n", y + 10, kind
		for (w = 1; w <= nways; w++) {
			v = ns[kind, ways[w]]
			len = most > 0 ? v / most * width : 0
			printf "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>", left, y, len, bar - 2, colors[w]
			printf "<text x=\"%.1f\" y=\"%d\">%.0f ns %s</text>\n", left + len + 5, y + bar - 3, v, ways[w]
			y += bar
		}
	}
	if (measured != "")
		printf "<text x=\"10\" y=\"%d\" fill=\"#5f6368\">%s</text>\n", nkinds * group + 30, measured
	printf "</svg>\n"
}' "$1"
