# --alert: a command is told about alert() once for each key, and before erltrace ends; the text is shown as ever. What is no URL that it
# can use is refused.
"$ERLTRACE" --alert 'cat >>told.txt' -qn 'BEGIN { alert("[error disk] full: %d\n", 1); alert("[error disk] full: %d\n", 2); alert("plain\n"); exit(0); }'
grep -o '"status":"firing","level":"error","key":"disk","text":"full: [12]"' told.txt | sed 's/[12]"$/N"/'
grep -o '"level":"warning","key":"plain","text":"plain"' told.txt
grep -o '"probe":"[^"]*"' told.txt | sort -u
grep -o '"script":"[^"]*"' told.txt | sort -u
echo 'BEGIN { alert("[error disk] full"); exit(0); }' >disk.d
"$ERLTRACE" --alert 'cat >told.txt' -qs ./disk.d
grep -o '"script":"[^"]*"' told.txt
# a command that does not end in time is not left behind
"$ERLTRACE" --alert 'echo $$ >pid; exec sleep 100' -qs disk.d 2>&1
kill -0 "$(cat pid)" 2>/dev/null || echo gone
# nor one that does not read what it is told, which is more than a pipe holds
long=$(printf '%0700d' 0)
"$ERLTRACE" --alert 'test -e told && { echo $$ >pid; exec sleep 100; }; exec cat >told' -x switchrate=100ms \
	-qn "tick-1ms { alert(\"[error k%d] $long\", n++); } tick-1s { exit(0); }" 2>&1 >/dev/null
kill -0 "$(cat pid)" 2>/dev/null || echo gone
"$ERLTRACE" --alert '' -n BEGIN
"$ERLTRACE" --alert https://example.org/ -n BEGIN
echo "status $?"
# nobody answers there: it ends all the same, and says so
"$ERLTRACE" --alert http://127.0.0.1:1/ -qn 'BEGIN { alert("lost\n"); exit(0); }' >out 2>&1
echo "status $?"
sort out | grep .
