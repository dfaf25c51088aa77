# -c: the program starts when tracing is on, $target is its pid, tracing ends when it ends, and the command reports how
# it ended.
"$ERLTRACE" -q -c 'sleep 0.1' -n 'BEGIN { b = timestamp; } END { printf("%s\n", timestamp - b > 90000000 ? "waited" : "did not wait"); }'
"$ERLTRACE" -q -c "sh -c 'echo \$\$'" -n 'END { printf("%d\n", $target); }' >out
[ "$(sed -n 1p out)" = "$(sed -n 2p out)" ] && echo same || cat out
"$ERLTRACE" -c 'true' -n END 2>&1 >/dev/null | sed 's/pid [0-9]*/pid N/'
"$ERLTRACE" -c "sh -c 'exit 3'" -n END 2>&1 >/dev/null | sed 's/pid [0-9]*/pid N/'
"$ERLTRACE" -c "sh -c 'kill -9 \$\$'" -n END 2>&1 >/dev/null | sed 's/pid [0-9]*/pid N/'
"$ERLTRACE" -c nosuchcommand -n END 2>&1
echo "status $?"
"$ERLTRACE" -c "sh -c 'exit 0" -n END 2>&1
echo "status $?"
# Nothing runs when the program does not compile.
"$ERLTRACE" -q -c 'touch ran' -c 'touch ran' -n 'END { nosuch; }' 2>/dev/null
ls ran 2>/dev/null
# exit() ends tracing; the command goes on.
"$ERLTRACE" -q -c "sh -c 'sleep 0.3; echo late >late'" -n 'BEGIN { exit(0); }'
n=0
until [ -s late ] || [ $n -ge 600 ]; do
	sleep 0.1
	n=$((n + 1))
done
cat late
# Two commands: the last one ends it.
"$ERLTRACE" -q -c 'sleep 0.1' -c 'sleep 0.3' -n 'BEGIN { b = timestamp; } END { printf("%s\n", timestamp - b > 290000000 ? "both" : "one"); }'
# Environment of the command.
A=1 "$ERLTRACE" -q -x setenv=B=2 -x unsetenv=A -c "sh -c 'echo \${A-unset} \$B'" -n END
