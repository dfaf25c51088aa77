# An event in the VM takes no more than a tenth more machine instructions in erltrace's library than written down here.
# Unlike times these are the same on a busy machine. The numbers are those of the last release, or of a commit since then
# that made a path shorter. Whoever makes a release, or a path longer for a good reason, writes the new ones here and says
# why in the commit. With another compiler they are only shown.
#
# How many of them are atomic is the same with any compiler: what is told of that in docs/performance.md (Many cores).
# @@timeout: 600
. "$srcdir/lib.sh"
[ -z "$SAN$TINY" ] || { echo "about the ordinary build" >&2; exit 67; }
[ "$(uname -m)" = x86_64 ] || { echo "the numbers are of x86-64" >&2; exit 67; }
LIB=$BUILD/otp/erltrace/priv/erltrace_tracer.so
case $(readelf -p .comment "$LIB") in
*'GCC: '*' 12.'*) measured=1 ;;
*) measured= ;;
esac
"${CC:-gcc}" -O1 -o steps "$srcdir/steps.c" || exit 1
node_start +S 1:1 -pa "$BUILD/test/erlang"
BEAM=$(node_eval 'list_to_integer(os:getpid()).')

# NAME WORKLOAD CALLBACK EVENTS NUMBER SCRIPT: NUMBER is what was written down, of an operation that brings so many EVENTS
path() {
	trace_start out -x maxoverhead=100 -x counters=off -n "$6"
	node_eval "steps:start($2)." >/dev/null
	n=$(./steps "$BEAM" "$LIB" "$(nm "$LIB" | sed -n "s/ [tT] $3\$//p")" "$4")
	case $? in
	0) ;;
	67) echo "threads cannot be traced here" >&2; exit 67 ;;
	*) exit 1 ;;
	esac
	node_eval 'exit(whereis(steps), kill), ok.' >/dev/null
	trace_stop
	said="$1: ${n#* } atomic"
	n=${n% *}
	echo "$said, $n instructions, $5 when last written down" >&2
	if [ "$measured" ] && [ "$n" -gt $(($5 + $5 / 10)) ]; then
		said="$1: $n instructions are more than a tenth more than $5"
	fi
	echo "$said"
}

path call call tracer_trace_call 1 393 'erlang*:steps:leaf/1:entry { @[probefunc] = count(); }'
path 'call and return' call tracer_trace_call 2 988 'erlang*:steps:leaf/1:entry, erlang*:steps:leaf/1:return { @[probefunc] = count(); }'
path 'time of a call' call tracer_trace_call 2 1678 'erlang*:steps:leaf/1:entry { self->t = timestamp; }
	erlang*:steps:leaf/1:return /self->t/ { @[probefunc] = quantize(timestamp - self->t); self->t = 0; }'
path 'a number of an array is set' call tracer_trace_call 1 702 'int a[int]; erlang*:steps:leaf/1:entry { a[tid] = timestamp; }'
path 'a number of an array is read' call tracer_trace_call 1 718 'int a[int]; BEGIN { a[tid] = 1; } erlang*:steps:leaf/1:entry { this->a = a[tid]; }'
path 'an array with another key' call tracer_trace_call 1 971 'int a[int, string]; erlang*:steps:leaf/1:entry { a[tid, probefunc] = timestamp; }'
path send send tracer_trace 1 448 'erlang*:::message-send { @[copyinstr(arg1)] = count(); }'
path spawn spawn tracer_trace_procs 1 582 'erlang*:::process-spawn { @[copyinstr(arg1)] = count(); }'
path scheduled yield tracer_trace_running_procs 1 503 'erlang*:::process-scheduled { @[copyinstr(arg1)] = count(); }'
path 'switch, of which only the process is wanted' yield tracer_enabled_running_procs 2 740 'erlang*:::process-scheduled, erlang*:::process-unscheduled { @[probename] = count(); }'
[ "$measured" ] || { echo "the numbers are of gcc 12, and this is another" >&2; exit 67; }
