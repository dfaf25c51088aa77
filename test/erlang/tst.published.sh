# Scripts as they were published for DTrace and Erlang run unchanged and give right numbers.
# @@timeout: 120
. "$srcdir/workload.sh"
node_start

# A heat map of call times.
cat >heat.d <<'D'
erlang*:::global-function-entry
{
  self->funcall_entry_ts[copyinstr(arg1)] = vtimestamp;
}
erlang*:::function-return
{
  @time[copyinstr(arg1)] = lquantize((vtimestamp - self->funcall_entry_ts[copyinstr(arg1)] ) / 1000, 0, 63, 2);
}
D
trace -x maxoverhead=100 -x dynvarsize=16m -qs heat.d
work '{call,200}'
trace_end
calls=$(awk '/^  [^ ]/ { on = $1 == "workload:even/1" } on && /\|/ { n += $NF } END { print n + 0 }' out)
[ "$calls" = 200 ] || fail "$calls calls of even/1 in the heat map instead of 200"

# The same as a profile.
sed 's/lquantize(\(.*\), 0, 63, 2)/sum(\1)/' heat.d >profile.d
grep -q 'sum(' profile.d || fail 'the profile is no profile'
trace -x maxoverhead=100 -x dynvarsize=16m -qs profile.d
work '{nap,3,1}'
trace_end
want '^ +workload:nap/1 +[0-9]+$'

# Births and deaths in each second.
cat >births.d <<'D'
BEGIN {
    spawns = exits = 0
}

erlang*:::process-spawn { spawns++ }
erlang*:::process-exit { exits++ }

profile:::tick-1sec {
    printf("Spawns %d exits %d", spawns, exits);
    spawns = exits = 0
}
D
trace -s births.d
work '{spawn,300}'
sums() {
	sed -n 's/.*Spawns \([0-9]*\) exits \([0-9]*\).*/\1 \2/p' out | awk '{ s += $1; e += $2 } END { print s, e }'
}
i=0
while [ "$(sums)" != '301 301' ] && [ $i -lt 100 ]; do
	sleep 0.2
	i=$((i + 1))
done
trace_end
sums=$(sums)
[ "$sums" = '301 301' ] || fail "spawns and exits: $sums instead of 301 301"

# From sending a message to scheduling its receiver.
cat >latency.d <<'D'
BEGIN { printf("Press control-c to print histogram\n") }

erlang*:::message-send {
    sent[copyinstr(arg1)] = timestamp
}

erlang*:::process-scheduled
/ sent[copyinstr(arg0)] /
{
    @t = quantize(timestamp - sent[copyinstr(arg0)]);
    sent[copyinstr(arg0)] = 0
}
D
trace -s latency.d
work '{late,10,40}'
trace_end
want_late 33554432 10

# Calls that start on one CPU and return on another.
cat >cpus.d <<'D'
erlang*:::function-entry {
    _cpu[copyinstr(arg0), copyinstr(arg1), arg2] = cpu+1
}

erlang*:::function-return
/ _cpu[copyinstr(arg0), copyinstr(arg1), arg2] != 0 &&
  _cpu[copyinstr(arg0), copyinstr(arg1), arg2] != cpu+1 /
{
    depth = arg2;
    proc = copyinstr(arg0);
    mfa = copyinstr(arg1);
    callcpu = _cpu[proc, mfa, depth] - 1;
    printf("%s-%s @ depth %d: CPU %d -> %d\n",
           proc, mfa, depth, callcpu, cpu);
}

erlang*:::function-return
{ _cpu[copyinstr(arg0), copyinstr(arg1), arg2] = 0 }
D
trace -x maxoverhead=100 -x dynvarsize=16m -qs cpus.d
work '{call,200}'
trace_end
# who moves depends on the machine; each line that there is must be one of these
grep -v '^$' out | grep -Evq '^<[0-9.]+>-.*/[0-9]+ @ depth [0-9]+: CPU [0-9]+ -> [0-9]+$' && fail 'a line that is none'

# Which processes are born, end and are killed.
cat >spawn-exit.d <<'D'
erlang*:::process-spawn 
{ 
    printf("pid %s mfa %s\n", copyinstr(arg0), copyinstr(arg1)); 
} 
 
erlang*:::process-exit 
{ 
    printf("pid %s reason %s\n", copyinstr(arg0), copyinstr(arg1)); 
} 
 
erlang*:::process-exit_signal 
{ 
    printf("sender %s -> pid %s reason %s\n", 

    copyinstr(arg0), copyinstr(arg1), copyinstr(arg2)); 
} 
D
trace -qs spawn-exit.d
work '{signal,10}'
trace_end
want_count 10 '^sender <0\.[0-9]+\.0> -> pid <0\.[0-9]+\.0> reason workload_signal$'
exit 0
