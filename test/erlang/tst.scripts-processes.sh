# Ready-made scripts about processes that start and end: exact counts.
# @@timeout: 60
. "$srcdir/workload.sh"
scripts=$srcdir/../../scripts
node_start

trace -qs "$scripts/spawn-exit.d"
work '{spawn,50}'
work '{signal,20}'
by=$answer
trace_end
want_count 50 '^pid <0\.[0-9]+\.0> mfa workload:child/0$'
want_count 50 '^pid <0\.[0-9]+\.0> reason workload_done$'
want_count 20 '^pid <0\.[0-9]+\.0> mfa workload:victim/0$'
want_count 20 '^pid <0\.[0-9]+\.0> reason workload_signal$'
want_count 20 "^sender $by -> pid <0\.[0-9]+\.0> reason workload_signal\$"

# One process more than asked for: the one that does the work.
trace -qs "$scripts/births-deaths.d"
work '{spawn,1000}'
trace_end
tail -n 3 out >all && mv all out
want_value 1001 spawns
want_value 1001 exits

trace -qs "$scripts/spawns.d"
work '{spawn,1000}'
work '{signal,30}'
trace_end
want '^ +workload:child/0 +1000$' '^ +workload:victim/0 +30$'
want '^ +workload:child/0 +workload_done +1000$' '^ +workload:victim/0 +workload_signal +30$'
