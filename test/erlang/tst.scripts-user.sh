# Ready-made scripts about a program's own probes, which it fires through the application's API.
# @@timeout: 60
. "$srcdir/workload.sh"
scripts=$srcdir/../../scripts
[ -e "$BUILD/otp/erltrace/ebin/erltrace.beam" ] || skip 'the application has no API module'
node_start -pa "$BUILD/otp/erltrace/ebin"

trace_marked -qs "$scripts/user-probe.d"
work '{user,25}'
by=$answer
trace_end
want_count 25 "^$by +25 7 0 0 'first' 'second' '' ''\$"

trace_marked -x defaultargs -qs "$scripts/user-probe-n.d" 42
work '{user_n,30}'
by=$answer
trace_end
want_count 30 "^user_trace-n42 fired: $by +30 7 0 0 'first' 'second' '' ''\$"
