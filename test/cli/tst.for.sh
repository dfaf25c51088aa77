# --for ends a script after the given time as exit(0) would: END runs, aggregations are printed, the status is 0. Times
# that make no sense are refused.
# @@timeout: 60
"$ERLTRACE" --for 300ms -qn 'BEGIN { t = timestamp; @ = count(); } tick-20ms { @ = count(); } END { printf("%s\n", timestamp - t >= 300000000 ? "in time" : "too early"); }' >out
echo "status $?"
grep -c 'in time' out
grep -Ec '^ +[0-9]+$' out
# a number alone is in seconds; exit() is earlier
"$ERLTRACE" --for=1 -qn 'BEGIN { t = timestamp; } END { printf("%s\n", timestamp - t >= 1000000000 ? "in time" : "too early"); }'
"$ERLTRACE" --for 1h -qn 'BEGIN { exit(3); }' >out
echo "status $?"
# and in END it sets the status
"$ERLTRACE" --for 10ms -qn 'END { exit(4); }' >out
echo "status $?"
# a D object too
"$ERLTRACE" --compile-only -o x.dobj -n '#pragma D option quiet
END { printf("the end\n"); }'
"$ERLTRACE" --for 10ms x.dobj
for t in 10hz 0 -1s 5x '' s 1.5s 99999999999d; do
	"$ERLTRACE" --for "$t" -qn BEGIN 2>&1
	echo "= $?"
done
