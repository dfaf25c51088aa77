# The command ends, without a message, when the reader of its output goes away; so do the views.
# @@timeout: 120
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
		[ $n -lt 1000 ] || break
	done
	cat status err
}
ends -q -x switchrate=10ms -n 'tick-5ms { printf("line %d\n", ++n); }'
ends --top --interval 100ms --for 100s -qn 'tick-5ms { @n = count(); }'
# A signal to end while the output waits for its reader
waits() { # waits PID: whether it is in a write to a pipe that is full
	case $(cat "/proc/$1/wchan" 2>/dev/null) in
	*pipe_w*) ;;
	# where the kernel tells nobody where it sleeps: the number of write() on x86-64 and arm64, standard output
	*) grep -q -e '^1 0x1 ' -e '^64 0x1 ' "/proc/$1/syscall" 2>/dev/null ;;
	esac
}
has_ended() { [ -s status ]; }
has_got_it() { ! grep -q '^S[hi][dg]Pnd:.*[1-9a-f]' "/proc/$1/status" 2>/dev/null && { waits "$1" || has_ended; }; }
until_it() { # until_it WHAT PID
	n=0
	until "$@"; do
		sleep 0.05
		n=$((n + 1))
		[ $n -lt 1000 ] && ! { [ "$1" = waits ] && has_ended; } || { echo "not: $1"; break; }
	done
}
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
until [ -s pid ]; do sleep 0.05; done
until_it waits "$(cat pid)"
kill -TERM "$(cat pid)"
until_it has_got_it "$(cat pid)"
grep -c '^ *000' <&3 >/dev/null || echo nothing was shown
wait
cat status err
"$ERLTRACE" -l | head -n 1
