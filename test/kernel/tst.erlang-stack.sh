# Asserts that stacks of a stock VM, started without flags, are the call chains of its Erlang functions: all of them,
# and no others.
# @@timeout: 120
. "$srcdir/common.sh"
ERL=${ERL:-erl}
command -v $ERL >/dev/null || { echo 'no Erlang here' >&2; exit 67; }
# (the VM may have printed warnings before)
[ "$($ERL -noshell -eval 'io:put_chars(atom_to_list(erlang:system_info(emu_flavor))), halt().' | tail -n 1)" = jit ] || { echo 'this VM has no JIT' >&2; exit 67; }
erlc "$srcdir/erlburn.erl" || exit 1
$ERL +sbwt none +sbwtdcpu none +sbwtdio none -noshell -eval 'erlburn:go().' >vm.out 2>&1 &
pid=$!
trap 'kill -9 $pid 2>/dev/null' EXIT
i=0
while [ ! -e ready ] && [ $i -lt 600 ]; do sleep 0.1; i=$((i + 1)); done
$K -n 'profile-497 /pid == $target && arg1/ { @[ustack(60)] = count(); n++; } tick-10ms /n > 1000/ { exit(0); } tick-60s { exit(0); }' -xaggsize=16m -p $pid >out 2>err
cat err >&2
awk -f "$srcdir/fold.awk" out | sed 's/ erl_eval:.*//; s/ beam.smp`[^ ]*//g; s/ lib[a-z+]*\.so[^ ]*//g' >folded
awk '{ n = $1; $1 = ""; all += n }
# The change from one process to the next.
/\[jit\]`process_main$/ { all -= n; next }
/erlburn:/ { burn += n }
/^ erlburn:spin\/1 erlburn:one\/0 erlburn:loop\/0$/ { one += n; next }
/^ erlburn:spin\/1 erlburn:inner\/1 erlburn:two\/0 erlburn:loop\/0$/ { two += n; next }
/^ erlburn:spin\/1( erlburn:deep\/1)+ erlburn:loop\/0$/ && NF == 34 { deep += n; next }
# on the way to spin() and back, and where a process is changed for another or the module has code of its own
/^( erlburn:(one|two)\/0| erlburn:inner\/1 erlburn:two\/0|( erlburn:deep\/1)+)? erlburn:loop\/0$/ { ways += n; next }
/^ (\[jit\]`[a-z_]+|erlburn::code(Header|Footer)) erlburn:(spin|one|two|inner|deep)\/[01] / { ways += n; next }
/erlburn:/ { wrong += n; print "wrong:" $0 >"/dev/stderr"; next }
{ print "another: " n $0 >"/dev/stderr" }
END {
	printf "%d of %d: one %d, two %d, deep %d\n", burn, all, one, two, deep >"/dev/stderr"
	print wrong + 0, (one > burn / 5), (two > burn / 5), (deep > burn / 5), (burn > all * 0.9)
}' folded
