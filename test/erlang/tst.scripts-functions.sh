# Ready-made scripts about function calls: exact counts by name and by the classic probes, and a known duration in the
# right bucket.
# @@timeout: 90
. "$srcdir/workload.sh"
scripts=$srcdir/../../scripts
node_start

# by name: entry, return and exception
trace -qn 'erlang*:workload::entry, erlang*:workload::return, erlang*:workload:bad/1:exception { @[probefunc, probename] = count(); }'
work '{call,1000}'
work '{bad,100}'
work '{loop,5000}'
trace_end
want '^ +outer/1 +entry +1000$' '^ +leaf/1 +entry +2000$' '^ +even/1 +entry +1000$'
want '^ +outer/1 +return +1000$' '^ +leaf/1 +return +2000$' '^ +even/1 +return +1000$'
want '^ +bad/1 +entry +100$' '^ +bad/1 +exception +100$' '^ +bad/1 +return +100$'
want '^ +loop/2 +entry +5001$' '^ +loop/2 +return +5001$'

# classic: local and global calls are told apart by the caller's module, returns match entries
trace -qn 'erlang*:::local-function-entry, erlang*:::global-function-entry, erlang*:::function-entry, erlang*:::function-return
	/strstr(copyinstr(arg1), "workload:") == copyinstr(arg1)/ { @[copyinstr(arg1), probename] = count(); }' -x maxoverhead=100
work '{call,300}'
trace_end
want '^ +workload:leaf/1 +local-function-entry +600$' '^ +workload:leaf/1 +function-entry +600$' \
	'^ +workload:leaf/1 +function-return +600$' '^ +workload:outer/1 +function-return +300$'

# 40 ms are in the bucket of 2^25 to 2^26 ns; none is longer than the workload has seen it
trace -qs "$scripts/function-time.d" workload
work '{nap,5,40}'
longest=$answer
trace_end
awk '/^  workload/ { on = $2 == "nap/1" } on' out >nap && mv nap out
want_late 33554432 5 "$longest"

trace -x maxoverhead=100 -qs "$scripts/function-profile.d"
work '{call,2000}'
trace_end
want '^workload:leaf/1 +4000$' '^workload:outer/1 +2000$'

trace -x maxoverhead=100 -qs "$scripts/function-counts.d" 0 work
work '{call,2000}'
trace_end
want '^workload +leaf/1 +4000$' '^workload +outer/1 +2000$'

trace -qs "$scripts/cpu-migration.d" workload
work '{call,1000}'
trace_end
moved=$(grep -c ': CPU [0-9]* -> [0-9]*$' out)
[ "$(count_of 'on another')" = "$moved" ] || fail 'calls that moved: the lines and their number differ'
# outer, leaf twice and even for each, and some that the loop around them makes
[ "$(count_of 'returned on the same CPU')" -ge $((4000 - moved)) ] || fail 'calls are missing'
