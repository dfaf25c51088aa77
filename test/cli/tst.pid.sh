# -p sets $target, and tracing ends when the process ends.
sleep 0.4 &
pid=$!
"$ERLTRACE" -q -p $pid -n "BEGIN { printf(\"%s\n\", \$target == $pid ? \"target\" : \"other\"); } END { printf(\"end\n\"); }"
sleep 5 &
pid=$!
kill $pid
wait $pid 2>/dev/null
"$ERLTRACE" -q -p $pid -n BEGIN 2>&1 | sed 's/[0-9][0-9]*/N/'
