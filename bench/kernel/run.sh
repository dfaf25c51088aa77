# run.sh BUILD [ROUNDS]: the kernel engine beside bpftrace and beside a BPF program that does nothing, in one run.
#
# Every way takes its turn in every round. The two tools run right after each other and take turns at being first. The
# quickest 500 events in a row of all rounds count, so that other work on the machine matters little and affects both. A
# cost is the time of a call minus its time untraced. The tools attach before the load starts (-c).
build=$(cd "$1" && pwd)
rounds=${2:-5}
here=$(cd "$(dirname "$0")" && pwd)
if [ -z "$IN_NAMESPACE" ]; then
	[ "$(id -u)" = 0 ] || { echo "bench-kernel: needs root"; exit 0; }
	# bpftrace needs tracefs. It is mounted in our own namespace, so that nobody else sees it.
	IN_NAMESPACE=1 exec unshare -m sh "$0" "$@"
fi
mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null
mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null
command -v bpftrace >/dev/null || { echo "bench-kernel: bpftrace is not here"; exit 0; }
out=$build/bench/kernel
mkdir -p "$out"
for p in load empty first; do
	cc -O2 -D_GNU_SOURCE -Wall -o "$out/$p" "$here/$p.c" || exit 1
done
cd "$out" || exit 1
awk 'BEGIN {
	for (i = 0; i < 1000; i++) printf "__attribute__((noinline)) void f%d(void) { __asm__ volatile(\"\" ::: \"memory\"); }\n", i
	print "int main(void) {"
	for (i = 0; i < 1000; i++) printf "f%d();\n", i
	print "return 0; }"
}' >many.c
cc -O1 -o many many.c || exit 1
load=$out/load
E="$build/erltrace -q -xengine=kernel"

# What is traced: D and bpftrace's language. KEY and VALUE are put in below.
d_syscall='syscall::getppid:entry'
b_syscall='tracepoint:syscalls:sys_enter_getppid'
d_function='pid$target:load:work_function:entry'
b_function="uprobe:$load:work_function"
d_usdt='bench$target:::hit'
b_usdt="usdt:$load:bench:hit"

count=30000
one() { # one KIND TOOL ACTION: writes ns per call to ./ns; empty if it did not run
	rm -f ns
	case $2 in
	none) "$load" "$1" $count ns ;;
	empty)
		case $1 in
		syscall) ./empty syscall -- "$load" "$1" $count ns ;;
		*) ./empty uprobe "$load" "$("$load" where "$1")" -- "$load" "$1" $count ns ;;
		esac
		;;
	erltrace)
		case $1 in
		syscall) probe=$d_syscall key=execname value=arg0 ;;
		function) probe=$d_function key='copyinstr(arg1)' value=arg0 ;;
		usdt) probe=$d_usdt key='copyinstr(arg1)' value=arg0 ;;
		esac
		case $3 in
		count) body='@ = count();' ;;
		quantize) body="@ = quantize($value);" ;;
		key) body="@[$key] = count();" ;;
		esac
		$E -n "$probe { $body }" -c "$load $1 $count ns"
		;;
	bpftrace)
		case $1 in
		syscall) probe=$b_syscall key=comm value='args->__syscall_nr' ;;
		function) probe=$b_function key='str(arg1)' value=arg0 ;;
		usdt) probe=$b_usdt key='str(arg1)' value=arg0 ;;
		esac
		case $3 in
		count) body='@ = count();' ;;
		quantize) body="@ = hist($value);" ;;
		key) body="@[$key] = count();" ;;
		esac
		bpftrace -e "$probe { $body }" -c "$load $1 $count ns"
		;;
	esac >log."$2" 2>&1
	cat ns 2>/dev/null
}

: >ns.all
: >start.all
i=0
tools="erltrace bpftrace"
while [ $i -lt "$rounds" ]; do
	for kind in syscall function usdt; do
		for tool in none empty; do
			echo "$kind $tool - $(one $kind $tool)" >>ns.all
		done
		for action in count quantize key; do
			for tool in $tools; do
				echo "$kind $tool $action $(one $kind $tool $action)" >>ns.all
			done
		done
	done
	for tool in $tools; do
		case $tool in
		erltrace)
			echo "erltrace start $(./first $E -n 'syscall::getppid:entry { exit(0); }')"
			echo "erltrace list $(./first "$build/erltrace" -l)"
			echo "erltrace calls $(./first $E -n 'syscall::: { @[probefunc] = count(); }' -c /bin/true)"
			echo "erltrace functions $(./first $E -n 'pid$target:a.out:f[0-9]*:entry { @[probefunc] = count(); }' -c ./many)"
			;;
		bpftrace) # with a program for each probe, all system calls would take it minutes
			echo "bpftrace start $(./first bpftrace -e 'tracepoint:syscalls:sys_enter_getppid { exit(); }')"
			echo "bpftrace list $(./first bpftrace -l)"
			;;
		esac
	done >>start.all
	case $tools in
	erltrace*) tools="bpftrace erltrace" ;;
	*) tools="erltrace bpftrace" ;;
	esac
	i=$((i + 1))
done
echo "$(uname -r), $(bpftrace --version), $rounds rounds of $count events"
awk '
	NF == 4 { k = $1 " " $2 " " $3; if (!(k in least) || $4 < least[k]) least[k] = $4 }
	function cost(k, t, a) { return k " " t " " a in least ? sprintf("%.0f", least[k " " t " " a] - least[k " none -"]) : "-" }
	END {
		printf "%-34s %12s %12s %12s\n", "ns more than untraced", "empty BPF", "erltrace", "bpftrace"
		n = split("syscall function usdt", kinds); m = split("count quantize key", actions)
		for (i = 1; i <= n; i++) for (j = 1; j <= m; j++)
			printf "%-34s %12s %12s %12s\n", kinds[i] ", " actions[j], cost(kinds[i], "empty", "-"),
			    cost(kinds[i], "erltrace", actions[j]), cost(kinds[i], "bpftrace", actions[j])
	}' ns.all
awk '
	NF == 4 { k = $2 " " $1; if (!(k in ms) || $3 < ms[k]) ms[k] = $3; if (!(k in kb) || $4 < kb[k]) kb[k] = $4 }
	function of(k) { return k in ms ? sprintf("%.1f", ms[k]) : "-" }
	function row(what, k) { printf "%-34s %12s %12s %12s\n", what, "", of(k " erltrace"), of(k " bpftrace") }
	END {
		row("start to first event, ms", "start")
		row("list of all probes, ms", "list")
		row("all system calls, start to end, ms", "calls")
		row("1,000 functions, start to end, ms", "functions")
		printf "%-34s %12s %12.1f %12.1f\n", "memory at most, MiB", "", kb["start erltrace"] / 1024, kb["start bpftrace"] / 1024
	}' start.all
