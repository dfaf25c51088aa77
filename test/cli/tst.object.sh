# --compile-only writes an object that gives the same result when it is run later. Damaged objects are refused and never
# crash the command.
cat >x.d <<'END'
#pragma D option quiet
BEGIN { @a["k"] = quantize(3); x = "str"; printf("%s %d\n", x, 42); exit(6); }
END
"$ERLTRACE" -s x.d >direct
echo "status $?"
"$ERLTRACE" --compile-only -o x.dobj -s x.d
"$ERLTRACE" x.dobj >later
echo "status $?"
cmp direct later && echo same
"$ERLTRACE" -s x.dobj | cmp - direct && echo same
size=$(wc -c <x.dobj)
for n in 0 1 7 8 15 16 40 100 $((size / 2)) $((size - 1)); do
	head -c $n x.dobj >cut.dobj
	"$ERLTRACE" cut.dobj >out 2>err
	[ $? = 1 ] || echo "cut at $n: not refused"
	[ -s err ] || echo "cut at $n: no message"
done
"$ERLTRACE" x.d 2>&1
echo "status $?"
# Arguments are those of the compilation: others are not ignored in silence.
"$ERLTRACE" --compile-only -o args.dobj -n 'BEGIN { printf("%d\n", $1); exit(0); }' 7
"$ERLTRACE" -q args.dobj 8 2>&1
"$ERLTRACE" -q args.dobj
