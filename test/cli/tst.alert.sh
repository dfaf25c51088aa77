# --alert: a command is told about alert() once for each key, and before erltrace ends; the text is shown as ever. What is no URL that it
# can use is refused.
"$ERLTRACE" --alert 'cat >>told.txt' -qn 'BEGIN { alert("[error disk] full: %d\n", 1); alert("[error disk] full: %d\n", 2); alert("plain\n"); exit(0); }'
grep -o '"status":"firing","level":"error","key":"disk","text":"full: [12]"' told.txt | sed 's/[12]"$/N"/'
grep -o '"level":"warning","key":"plain","text":"plain"' told.txt
grep -o '"probe":"[^"]*"' told.txt | sort -u
"$ERLTRACE" --alert https://example.org/ -n BEGIN
echo "status $?"
# nobody answers there: it ends all the same, and says so
"$ERLTRACE" --alert http://127.0.0.1:1/ -qn 'BEGIN { alert("lost\n"); exit(0); }' >out 2>&1
echo "status $?"
sort out | grep .
