# Asserts that the frames of an Erlang node with a perf map have the names of Erlang functions if the node is traced
# from outside.
# @@timeout: 90
. "$srcdir/common.sh"
command -v erl >/dev/null || { echo 'no Erlang here' >&2; exit 67; }
cat >spinner.erl <<'END'
-module(spinner).
-export([go/0, again/1]).
go() -> file:write_file("ready", "x"), again(0).
again(N) -> lists:seq(1, 1000), again(N + 1).
END
erlc spinner.erl || exit 1
erl +JPperf true -noshell -eval 'spinner:go().' &
pid=$!
trap 'kill -9 $pid 2>/dev/null; rm -f /tmp/perf-$pid.map /tmp/jit-$pid.dump' EXIT
until [ -e ready ] || ! kill -0 $pid 2>/dev/null; do sleep 0.1; done
grep -q 'spinner:again/1' /tmp/perf-$pid.map 2>/dev/null || { echo 'this VM writes no perf map' >&2; exit 67; }
$ERLTRACE -q -n 'profile-97 /pid == $target && arg1/ { @[ustack(3)] = count(); @m[umod(arg1)] = count(); n++; } tick-10ms /n > 100/ { exit(0); } tick-60s { exit(0); }' -p $pid >out 2>err
kill -9 $pid
wait $pid 2>/dev/null
grep -q '^ *lists:seq_loop/3+0x' out && echo lists
# callers on the stack of an Erlang process are known on x86-64
{ [ "$(uname -m)" != x86_64 ] || grep -A1 '^ *lists:seq_loop/3+0x' out | grep -q 'spinner:again/1+0x'; } && echo spinner
grep -c '^  \[jit\]  *[0-9]*$' out
exit 0
