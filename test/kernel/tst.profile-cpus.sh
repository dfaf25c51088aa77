# Asserts that profile-N fires on every CPU that has work at the given rate and with that CPU's number, and tick-N on
# one CPU, whether or not the machine is busy. How often it fires on idle CPUs is printed on standard error; see
# docs/kernel.md.
# @@timeout: 40
# @@alone
. "$srcdir/common.sh"
script='uint64_t to;
tick-97 /!from/ { from = timestamp; }
profile-97 /from && !to/ { @[cpu] = count(); @all[pid == 0 ? "idle" : "busy", cpu] = count(); }
tick-97 /!to/ { @ticks = count(); }
tick-2s { to = timestamp; exit(0); }
END { printf("expected %d\n", 97 * (to - from) / 1000000000); printa("cpu %d %@d\n", @); printa("ticks %@d\n", @ticks); printa("%s %d %@d\n", @all); }'
# judge LEAST: prints what is not within bounds.
judge() {
	awk -v least=$1 -v cpus="$cpus" '$1 == "expected" { want = $2 }
		$1 == "cpu" { n[$2] = $3; if ($3 > want * 1.1 + 10) print "too often", $0, want }
		$1 == "ticks" { if ($2 < want * 0.6 || $2 > want * 1.1 + 10) print "ticks", $2, want }
		END { split(cpus, c, " "); for (i in c) if (n[c[i]] < want * least) print "cpu", c[i], n[c[i]] + 0, "of", want }' out
}
cpus=$(awk '/^processor/ { print $3 }' /proc/cpuinfo | tr '\n' ' ')
$K -n "$script" >out || exit 1
judge 0
grep idle out >&2
for c in $cpus; do
	taskset -c $c ./workload spin 20000 &
	pids="$pids $!"
done
$K -n "$script" >out || exit 1
kill $pids
# An emulated CPU does not always run when its clock says so.
judge $([ -z "$SLOW" ] && echo 0.7 || echo 0.3)
echo done
