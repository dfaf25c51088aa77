# inside.sh TOP BUILD few|some|all|language|these [TEST…]: runs in the machine that run.sh starts, and prints the result on its
# console.
top=$1 build=$2 which=$3
shift 3
cd "$top" || exit 1
results=/tmp/results
: >$results
echo "=== begin"
echo "Linux $(uname -r), $(nproc) processors"
run() { # run LABEL ARGUMENTS…
	label=$1
	shift
	"$build/test/run" -e "$build/erltrace" -b "$build" -r $results -l "$label" "$@"
}
# Probes of nodes, alone and with the kernel's in one script: those of this machine's processor have been tested outside.
nodes() {
	[ "$(uname -m)" != aarch64 ] || run 'live nodes' -j1 -t 90 $(printf 'test/erlang/tst.%s.sh ' one-file probes mixed kernel-probes)
}
# Emulation is slow: more time for everything.
SLOW=1
export SLOW
case $which in
few)
	# What depends on the processor: arguments of calls, functions and USDT probes, registers, stacks, Erlang's too. Then some of the language.
	run 'kernel' -j1 -t 40 $(printf 'test/kernel/tst.%s.sh ' syscall-args syscall-errno fsinfo pid-args usdt-forms usdt-semaphore uregs-arm64 sym-ustack self erlang-stack)
	find test/d -name 'tst.*.d' -o -name 'err.*.d' -o -name 'drp.*.d' | sort | awk 'NR % 60 == 1' >/tmp/list
	run 'D suite' -E kernel -j2 -t 40 $(cat /tmp/list)
	;;
some)
	run 'kernel' -j1 -t 40 test/kernel
	# Of the language, each tenth test.
	find test/d -name 'tst.*.d' -o -name 'err.*.d' -o -name 'drp.*.d' | sort | awk 'NR % 10 == 1' >/tmp/list
	run 'D suite' -E kernel -j2 -t 40 $(cat /tmp/list)
	nodes
	;;
all)
	run 'kernel' -j1 -t 40 test/kernel
	nodes
	run 'D suite' -E kernel -j2 -t 40 test/d
	;;
language)
	run 'D suite' -E kernel -j2 -t 40 test/d
	;;
these)
	# Those of the language on the kernel engine; those of the engine say so themselves.
	for t; do
		case $t in
		test/d*) language="$language $t" ;;
		*) rest="$rest $t" ;;
		esac
	done
	[ -z "$rest" ] || run 'tests' -j1 -t 40 $rest
	[ -z "$language" ] || run 'D suite' -E kernel -j1 -t 40 $language
	;;
esac 2>&1
echo "=== end"
awk '{ p += $1; f += $2; s += $3 } END { print "=== result", p + 0, f + 0, s + 0 }' $results
