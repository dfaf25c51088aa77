# Asserts that stacks of a stock VM go on through C code (BIFs, garbage collection, a NIF, system calls, the vDSO) to the Erlang
# functions that called it: in at least 98 % of the samples, and to the right ones in all.
# @@timeout: 120
. "$srcdir/common.sh"
ERL=${ERL:-erl}
command -v $ERL >/dev/null || { echo 'no Erlang here' >&2; exit 67; }
# (the VM may have printed warnings before)
[ "$($ERL -noshell -eval 'io:put_chars(atom_to_list(erlang:system_info(emu_flavor))), halt().' | tail -n 1)" = jit ] || { echo 'this VM has no JIT' >&2; exit 67; }
include=$($ERL -noshell -eval 'io:put_chars(filename:join([code:root_dir(), "usr", "include"])), halt().' | tail -n 1)
[ -e "$include/erl_nif.h" ] || { echo "no header files of Erlang here" >&2; exit 67; }
${CC:-cc} -O1 -fomit-frame-pointer -fPIC -shared -I"$include" -o erlmix_nif.so "$srcdir/erlmix_nif.c" || exit 1
erlc "$srcdir/erlmix.erl" || exit 1
$ERL +sbwt none +sbwtdcpu none +sbwtdio none -noshell -eval 'erlmix:go().' >vm.out 2>&1 &
pid=$!
trap 'kill -9 $pid 2>/dev/null' EXIT
i=0
while [ ! -e ready ] && [ $i -lt 600 ]; do sleep 0.1; i=$((i + 1)); done
# On an emulated processor the parts of the work have other shares of the time.
$K -n 'profile-497 /pid == $target/ { @[ustack(60)] = count(); n++; } tick-10ms /n > 1000 + '${SLOW:+5}'000/ { exit(0); } tick-60s { exit(0); }' -xaggsize=16m -p $pid >out 2>err
cat err >&2
awk -f "$srcdir/fold.awk" out | sed 's/ erl_eval:.*//' >folded
awk -v processor="$(uname -m)" '
# Linkers for arm64 tell nothing about jumps to other libraries, so these have no name. They do not call anything.
function jump() { return processor == "aarch64" && $0 ~ /^ [^ ]*\.(smp|so[.0-9]*)`0x[^ ]* / && $0 !~ /^ [^ ]* .*0x/ }
{ n = $1; $1 = ""; all += n }
# Other threads, and the change from one process to the next.
/\[jit\]`process_main$/ || /clone3?$/ || /start_thread$/ { all -= n; next }
# A jump to another library is in a section without symbols, behind the first function.
!/erlmix:[a-z]/ && /^ (erlmix_nif.so`_init|beam.smp`[^ ]*)$/ { jumps += n }
!/erlmix:[a-z]/ { bare += n; print "without Erlang: " n $0 >"/dev/stderr"; next }
!/ erlmix:loop\/2$/ { wrong += n; print "wrong: " n $0 >"/dev/stderr"; next }
/burn_in_calls/ { calls += n; if ($0 !~ /erlmix_nif.so`burn_in_calls erlmix_nif.so`in_calls.* erlmix:calls\/0 erlmix:loop\/2$/) wrong += n; next }
/burn_in_c/ { nif += n; if ($0 !~ /erlmix_nif.so`burn_in_c erlmix_nif.so`in_c.* erlmix:nif\/0 erlmix:loop\/2$/) wrong += n; next }
/i_length_body_shared/ && !/ erlmix:garbage\/1 erlmix:loop\/2$/ { wrong += n; print "wrong: " n $0 >"/dev/stderr"; next }
/crc32/ { bif += n; if ($0 !~ / erlmix:bif\/1 erlmix:loop\/2$/) wrong += n; next }
/erlmix:garbage/ { gc += n; next }
/erlmix:ask/ { clock += n; if ($0 ~ /`0x|^ 0x/ && !jump()) { unnamed += n; print "unnamed: " n $0 >"/dev/stderr" } vdso += $0 ~ /^ \[vdso\]`/ ? n : 0; if ($0 !~ / erlmix:ask\/1 erlmix:clock\/0 erlmix:loop\/2$/) wrong += n; next }
/^ erlmix:spin\/1 erlmix:plain\/0 erlmix:loop\/2$/ { plain += n; next }
/erlmix:spin\/1/ && !/erlmix:spin\/1 erlmix:plain\/0 erlmix:loop\/2$/ { wrong += n; next }
END {
	printf "%d: plain %d, bif %d, garbage %d, nif %d, calls %d, clock %d (vDSO %d); bare %d, wrong %d\n", all, plain, bif, gc, nif, calls, clock, vdso, bare, wrong >"/dev/stderr"
	print wrong + 0, (bare <= all * 0.02), (plain > 10), (bif > 10), (gc > 10), (nif > 10), (calls > 10), (vdso > 5), unnamed + 0, jumps + 0
}' folded
