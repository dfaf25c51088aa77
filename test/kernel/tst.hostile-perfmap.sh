# Asserts that perf maps of other users' processes cost little memory, however large they are and however many processes
# have one, and that the command reports what it left out.
# @@timeout: 90
[ -z "$SLOW" ] || { echo 'an emulated machine takes too long for maps of that size' >&2; exit 67; }
[ "$(id -u)" = 0 ] || { echo 'needs root, who samples the processes of others' >&2; exit 67; }
[ -z "$SAN" ] || { echo 'sanitizers take more memory' >&2; exit 67; }
. "$srcdir/common.sh"
hostile=$BUILD/test/hostile
run() { # run BYTES MB: three processes with one map of that size
	megabytes=$2
	rm -f pids
	$hostile perfmap $1 3 >pids &
	until grep -qs ready pids; do
		kill -0 $! || exit 1
		sleep 0.05
	done
	grep -v ready pids >all
	set -- $(cat all)
	$hostile limits 20 $megabytes $ERLTRACE -q -n 'profile-97 /(pid == $1 || pid == $2 || pid == $3) && arg1/ { @[usym(arg1)] = count(); @p[pid] = count(); n[pid]++; }
tick-50ms /n[$1] > 5 && n[$2] > 5 && n[$3] > 5/ { exit(0); } tick-60s { exit(1); }' $1 $2 $3 >out 2>err || { echo "status $?"; cat err; }
	kill $(cat all)
	for p in $(cat all); do rm -f /tmp/perf-$p.map; done
	wait
}
run 70000000 300
grep -c 'jitted_here' out
sed -n 's|.*\(left out the symbols of .*\)/proc/.*: |\1…: |p' err | sort -u
# A usual one is read.
run 100000 300
grep -c 'jitted_here' out
