# function-calls.d shows the calls of one process, indented by depth, and of no other.
# @@timeout: 60
. "$srcdir/workload.sh"
scripts=$srcdir/../../scripts
node_start
# the process that reads the commands
work self
trace -x maxoverhead=100 -qs "$scripts/function-calls.d" "$answer"
work '{spawn,10}'
trace_end
grep -q 'workload:times' out && fail 'calls of another process'
want '^ *-> workload:command/1 \(local\)$' '^ *<- workload:command/1$'
