# The command ends, without a message, when the reader of its output goes away; so do the views.
ends() {
	rm -f status
	(
		"$ERLTRACE" "$@" 2>err
		echo "status $?" >status
	) | head -n 1 | sed 's/^[0-9:]*$/the time/'
	n=0
	while [ ! -s status ]; do
		sleep 0.05
		n=$((n + 1))
		[ $n -lt 200 ] || break
	done
	cat status err
}
ends -q -x switchrate=10ms -n 'tick-5ms { printf("line %d\n", ++n); }'
ends --top --interval 100ms --for 15s -qn 'tick-5ms { @n = count(); }'
# A signal to end while the output waits for its reader
rm -f status
mkfifo slow
wide=$(printf '%080d' 0)
{
	"$ERLTRACE" --top --interval 50ms -qn "tick-1ms { @[strjoin(\"$wide\", lltostr(n++ % 1000))] = count(); }" >slow 2>err &
	echo $! >pid
	wait $!
	echo "status $?" >status
} &
exec 3<slow
sleep 2
kill -TERM "$(cat pid)"
sleep 0.2
grep -c '^ *000' <&3 >/dev/null || echo nothing was shown
wait
cat status err
"$ERLTRACE" -l | head -n 1
