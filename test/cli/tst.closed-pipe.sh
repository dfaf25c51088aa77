# The command ends, without a message, when the reader of its output goes away.
(
	"$ERLTRACE" -q -x switchrate=10ms -n 'tick-5ms { printf("line %d\n", ++n); }' 2>err
	echo "status $?" >status
) | head -n 1
n=0
while [ ! -s status ]; do
	sleep 0.05
	n=$((n + 1))
	[ $n -lt 200 ] || break
done
cat status err
"$ERLTRACE" -l | head -n 1
