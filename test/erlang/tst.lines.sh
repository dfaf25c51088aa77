# Which cache lines an event writes that an event on another scheduler writes too: what is told of that in
# docs/performance.md (Many cores). Scheduler 1 does something and then scheduler 2 the same, with the same script; counted
# is what both have written. What libc and the VM write for the library is not counted.
# @@timeout: 600
. "$srcdir/lib.sh"
[ -z "$SAN$TINY" ] || { echo "about the ordinary build" >&2; exit 67; }
[ "$(uname -m)" = x86_64 ] || { echo "only instructions of x86-64 are understood" >&2; exit 67; }
command -v objdump >/dev/null || { echo "objdump (binutils) is not here" >&2; exit 67; }
LIB=$BUILD/otp/erltrace/priv/erltrace_tracer.so
"${CC:-gcc}" -O1 -o steps "$srcdir/steps.c" || exit 1
objdump -d --no-show-raw-insn "$LIB" | awk -f "$srcdir/stores.awk" >stores
[ -s stores ] || { echo "the library's instructions cannot be read" >&2; exit 1; }
node_start +S 2:2 -pa "$BUILD/test/erlang"
BEAM=$(node_eval 'list_to_integer(os:getpid()).')

# NAME WORKLOAD CALLBACK EVENTS SCRIPT
shared() {
	trace_start out -x maxoverhead=100 -x counters=off -n "$5"
	for s in 1 2; do
		node_eval "steps:start($2, $s)." >/dev/null
		./steps "$BEAM" "$LIB" "$(nm "$LIB" | sed -n "s/ [tT] $3\$//p")" "$4" $s stores >lines.$s
		case $? in
		0) ;;
		67) echo "threads cannot be traced here" >&2; exit 67 ;;
		*) exit 1 ;;
		esac
		node_eval 'exit(whereis(steps), kill), ok.' >/dev/null
		sort -o lines.$s lines.$s
	done
	trace_stop
	echo "$1: $(wc -l <lines.1) and $(wc -l <lines.2) lines" >&2
	[ "$(wc -l <lines.1)" -ge 5 ] || echo "$1: too few lines are written: $(cat lines.1)" # at least the shard
	echo "$1: $(comm -12 lines.1 lines.2 | wc -l) shared"
}

leaf=erlang*:steps:leaf/1
shared 'call' call tracer_trace_call 1 "$leaf:entry { @[probefunc] = count(); }"
shared 'send' send tracer_trace 1 'erlang*:::message-send { @[copyinstr(arg1)] = count(); }'
shared 'scheduled' yield tracer_trace_running_procs 1 'erlang*:::process-scheduled { @[copyinstr(arg1)] = count(); }'
shared 'a record' call tracer_trace_call 1 "$leaf:entry { trace(1); }"
shared 'a number of an array is read' call tracer_trace_call 1 "int a[int]; BEGIN { a[1] = 1; } $leaf:entry { this->a = a[1]; }"
shared 'the same number of an array is set' call tracer_trace_call 1 "int a[int]; $leaf:entry { a[1] = timestamp; }"
shared 'a number of its own is set' call tracer_trace_call 1 "$leaf:entry { self->a = timestamp; }"
shared 'a global variable is set' call tracer_trace_call 1 "uint64_t g; $leaf:entry { g = timestamp; }"
shared 'the same element with another key is set' call tracer_trace_call 1 "int a[int, string]; $leaf:entry { a[1, probefunc] = timestamp; }"
