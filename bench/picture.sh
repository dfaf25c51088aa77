#!/bin/sh
# picture.sh ROWS: draws what an event costs in the VM by ways of tracing, as SVG, from the rows of bench_tracer.erl.
awk -F'"' '
$4 != "vm" { next }
{
	split($8, name, ", ")
	value = $11
	gsub(/[^0-9.]/, "", value)
	if (!(name[1] in seen))
		kinds[++nkinds] = name[1]
	seen[name[1]] = 1
	ns[name[1], name[2]] = value
}
END {
	nways = split("untraced|empty tracer|keyed count|quantize|dbg", ways, "|")
	split("#9aa0a6|#5f6368|#1a73e8|#12a4af|#d93025", colors, "|")
	bar = 13; group = nways * bar + 22; left = 150; width = 520
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"11\">\n", left + width + 110, nkinds * group + 40
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
			printf "<text x=\"%.1f\" y=\"%d\">%d ns %s</text>\n", left + len + 5, y + bar - 3, v, ways[w]
			y += bar
		}
	}
	printf "</svg>\n"
}' "$1"
