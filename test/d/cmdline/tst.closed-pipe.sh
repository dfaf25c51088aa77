# Asserts that a closed pipe ends the command soon and quietly.

$ERLTRACE -q -xswitchrate=10ms -n 'tick-1ms { printf("%d\n", n++); }' 2>err | head -1
i=0; while [ $i -lt 100 ] && ! [ -f err ]; do sleep 0.02; i=$((i + 1)); done
grep -vc 'roken pipe' err
true
