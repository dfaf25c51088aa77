#!/bin/sh
# report.sh ROWS JSON: prints the rows of all benchmarks (bench/report.h) as one table with their ratios, and writes them
# as one JSON document, with what they were measured on.
rows=$1 json=$2
version=$(sed -n 's/^#define ET_VERSION_TEXT "\(.*\)"/\1/p' "$(dirname "$0")/../include/erltrace.h")
processor=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | sed -n '1s/["\\]//g;1p')
read -r load rest </proc/loadavg
otp=$("${ERL:-erl}" -noshell -eval 'io:put_chars(erlang:system_info(otp_release)), halt().' 2>/dev/null)

# The fields of a row are between quotes: the 4th is the benchmark, the 8th what it is about.
awk -F'"' '
BEGIN { printf "%-9s %-78s %14s %8s\n", "", "", "", "ratio" }
{
	value = $11
	gsub(/[^0-9.]/, "", value)
	ratio = $17
	gsub(/[^0-9.]/, "", ratio)
	printf "%-9s %-78s %11.1f %-2s %8s%s\n", $4 == last ? "" : $4, $8, value, $14, ratio, ratio == "" ? "" : " to " $20
	last = $4
}' "$rows" || exit

{
	printf '{"version":"%s","otp":"%s","processor":"%s","processors":%s,"load":%s,"rows":[\n' "$version" "$otp" "$processor" "$(nproc)" "$load"
	sed '$!s/$/,/' "$rows"
	printf ']}\n'
} >"$json"
