# -o FILE.svg: distributions become heatmaps, and counts and sums with keys become flame graphs. The file has the
# expected content and is valid XML whatever the keys are.
valid() {
	if command -v xmllint >/dev/null; then xmllint --noout --nonet "$1"; else head -c 4 "$1" | grep -q '<svg' && tail -n 1 "$1" | grep -qx '</svg>'; fi
}
"$ERLTRACE" -q -o a.svg -x aggrate=60s -n 'BEGIN { @t["a <b>"] = lquantize(15, 0, 100, 10); @t["a <b>"] = lquantize(15, 0, 100, 10);
    @t["a <b>"] = lquantize(95, 0, 100, 10); @t["c"] = lquantize(300, 0, 100, 10); @f["main", "x;y"] = count(); @f["main", "z"] = count(); printf("said\n"); exit(0); }' |
	head -n 1
valid a.svg || exit
cmp a.svg "$srcdir/picture.svg" || { diff "$srcdir/picture.svg" a.svg; exit 1; }

# Nothing in a key is more than text.
"$ERLTRACE" -q -o odd.svg -n 'BEGIN { @["]]>\001\033\n\377\376\355\240\200</text><script>alert(1)</script>&amp;\357\277\277", -1] = count();
    @q["</svg>", "\302\205"] = quantize(-5); exit(0); }' >/dev/null || exit
valid odd.svg || exit
grep -c '<script' odd.svg

# A second picture replaces the first; one that cannot be drawn leaves it, and says why.
"$ERLTRACE" -q -o a.svg -n 'BEGIN { @a["k"] = count(); exit(0); }' >/dev/null && valid a.svg || exit
grep -c '</svg>' a.svg
cp a.svg before.svg
"$ERLTRACE" -q -o a.svg -n 'BEGIN { @a = avg(1); exit(0); }' 2>&1 >/dev/null
echo "status $?"
cmp a.svg before.svg
"$ERLTRACE" -q -o none.svg -n 'BEGIN { @a = avg(1); exit(0); }' >/dev/null 2>&1
[ ! -e none.svg ] || echo 'an empty picture is left'
"$ERLTRACE" -q -o /nonexistent/a.svg -n 'BEGIN { exit(0); }' 2>&1
echo "status $?"

# What a script clears was drawn before; columns do not run out.
"$ERLTRACE" -q -x aggrate=5ms -o many.svg -n 'profile-1000 { @q = quantize(7); } tick-50ms { clear(@q); } tick-50ms /++n == 30/ { exit(0); }' >/dev/null && valid many.svg || exit
values=$(sed -n 's/.*>  \([0-9]*\) values.*/\1/p' many.svg)
[ "$values" -gt 100 ] || echo "only $values values"

# Integers have the sign of their type, as they have in JSON, in the page and for Erlang.
"$ERLTRACE" -q -o signs.svg -n 'BEGIN { @[(uint64_t)-1, (int64_t)-2, (uint32_t)-3, (int)-4, (uint8_t)-5, (int8_t)-6] = count(); exit(0); }' >/dev/null && valid signs.svg || exit
for n in 18446744073709551615 -2 4294967293 -4 251 -6; do grep -q -e ">$n[ <(]" signs.svg || echo "no frame $n in signs.svg"; done

# Requests: rows with waiting, running and own time, also if the script removes them at its end; what cannot be is left out.
"$ERLTRACE" -q -x aggrate=10ms -o fall.svg -n 'BEGIN { @waterfall[7, 0, 20000000, 80000000, 0, "<0.91.0>", "front", "{order,<1>}", "ok"] = max(100000000);
    @waterfall[7, 30000000, 0, 50000000, 1, "<0.92.0>", "back", "read", "no"] = max(100000000);
    @waterfall[8, -1, 0, 5, 0, "p", "bad", "x", "y"] = max(200000000);
    @waterfall[9, 5, 0, 5, 1, "p", "cut", "x", "y"] = max(300000000); }
    tick-200ms { exit(0); } END { trunc(@waterfall); }' >/dev/null && valid fall.svg || exit
sed -n -e 's/.*<title>\(<*[^<]*itself\).*/\1/p' fall.svg
grep -o 'x="[0-9.]*" y="[0-9]*" width="[0-9.]*" height="12"' fall.svg | sed 's/ y="[0-9]*"//'
grep -c -e bad -e cut fall.svg || :
