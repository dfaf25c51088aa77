# Ready-made scripts about scheduling: a process that yields 500 times is scheduled 500 times in that function.
# @@timeout: 60
. "$srcdir/workload.sh"
scripts=$srcdir/../../scripts
node_start

trace -qs "$scripts/process-scheduling.d"
work '{yield,500}'
by=$answer
trace_end
n=$(awk '$1 == "workload:yields/1" { print $2 }' out)
# a slice may end by itself in between
[ "${n:-0}" -ge 500 ] && [ "$n" -le 510 ] || fail "scheduled $n times instead of 500"

# in and out alternate for each process
trace -x pidnames=off -qn 'erlang*:::process-scheduled { @[copyinstr(arg0)] = sum(1); } erlang*:::process-unscheduled { @[copyinstr(arg0)] = sum(-1); @out[copyinstr(arg0)] = count(); } END { printa("in-out %s %@d\n", @); printa("out %s %@u\n", @out); trunc(@); trunc(@out); }'
work '{yield,300}'
by=$answer
trace_end
# the last slice of a process that ends has no end of its own
want "^in-out $by [01]\$"
n=$(awk -v p="$by" '$1 == "out" && $2 == p { print $3 }' out)
[ "${n:-0}" -ge 300 ] || fail "unscheduled $n times"
