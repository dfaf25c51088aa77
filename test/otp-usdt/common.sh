# For the tests of USDT probes of Erlang's VM: $OTP_USDT is the folder of build.sh.
#   vm LOAD [OPTION…]  starts the VM, $pid: it waits until `go`
#   stock LOAD […]     the same with the installed VM
K="$ERLTRACE -q"
$ERLTRACE -q -xengine=kernel -n 'BEGIN { exit(0); }' >/dev/null || exit 67
[ -n "$OTP_USDT" ] && [ -x "$OTP_USDT/bin/erl" ] || { echo 'no VM with USDT probes here: make test-otp-usdt builds one' >&2; exit 67; }
erlc "$srcdir/load.erl" || exit 1
start() { # start ERL LOAD OPTIONS
	erl=$1
	load=$2
	shift 2
	rm -f ready go
	LOAD=$load $erl "$@" -noshell -s load start >vm.out 2>&1 &
	shell=$!
	i=0
	until [ -e ready ]; do
		i=$((i + 1))
		[ $i -gt 600 ] && { cat vm.out >&2; exit 1; }
		sleep 0.1
	done
	pid=$(cat ready)
}
vm() { start "$OTP_USDT/bin/erl" "$@"; }
stock() { start erl "$@"; }
# traced OUT SCRIPT…: runs the command on the VM, lets it go once the script's BEGIN has printed "on", and waits for both.
traced() {
	out=$1
	shift
	: >$out
	$K -xswitchrate=50ms "$@" -p $pid >$out 2>$out.err &
	tracer=$!
	i=0
	until grep -q '^on$' $out; do
		i=$((i + 1))
		[ $i -gt 600 ] && { cat $out.err >&2; kill $tracer $pid; exit 1; }
		kill -0 $tracer 2>/dev/null || { cat $out.err >&2; kill $pid; exit 1; }
		sleep 0.05
	done
	touch go
	wait $tracer
	wait $shell || echo "the VM ended with $?"
}
