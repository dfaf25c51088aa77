# scripts/lock-waits.d: waits for locks while an Erlang process runs on the thread, by process and by stack. A process
# that waits 20 times for a lock which another thread holds for 50 ms is shown with these waits, and with the C function
# and the Erlang function in which it waited. The sleep of idle schedulers is not counted.
# @@timeout: 180
. "$srcdir/lib.sh"
"$ERLTRACE" -xengine=kernel -qn 'BEGIN { exit(0); }' >/dev/null 2>err || { sed -n '$p' err >&2; exit 67; }
fail() {
	echo "$*" >&2
	exit 1
}
include=$("${ERL:-erl}" -noinput -eval 'io:format("~ts/usr/include", [code:root_dir()]), halt().')
[ -e "$include/erl_nif.h" ] || include=$(erl -noinput -eval 'io:format("~ts/usr/include", [code:root_dir()]), halt().')
${CC:-cc} -O1 -fPIC -shared -I"$include" -o hold.so "$srcdir/hold.c" || fail 'hold.c does not compile'
node_start -pa "$BUILD/test/erlang"
[ "$(node_eval 'hold:load("'"$PWD"'/hold").')" = ok ] || fail 'the NIF is not loaded'
trace_start out -s "$srcdir/../../scripts/lock-waits.d"
[ "$(node_eval 'P = self(), register(waiter, spawn(fun() -> P ! hold:rounds(20, 50) end)), receive X -> X end.')" = ok ] || fail 'no rounds'
node_eval 'timer:sleep(1000).' >/dev/null
trace_stop
# on a busy machine the lock may be free again before the thread that has come for it goes to sleep
awk '$1 == "waiter" { n = $2; all = $3; longest = $4 } END { exit !(n >= 15 && n <= 40 && all >= 500000 && longest >= 30000 && longest <= all) }' out.txt ||
	fail "not 20 waits of 50 ms: $(grep -v '^ *$' out.txt)"
# stacks of a VM without the JIT have no functions of Erlang, and in code without frame pointers only one frame
[ "$(node_eval 'erlang:system_info(emu_flavor).')" != jit ] ||
	awk '/hold.so`take/ { c = 1 } c && /hold:take\/0|hold:rounds\/2/ { found = 1 } END { exit !found }' out.txt || fail "no such stack: $(cat out.txt)"
grep -q 'erts_schedule' out.txt && fail "an idle scheduler: $(cat out.txt)"
[ "$(clean_node)" = clean ] || fail 'not clean'
exit 0
