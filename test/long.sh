# long.sh BUILD [NAME…]: the long tests against live nodes: what `make test` runs for some seconds, at full length.
# Takes about an hour on two cores. Each test prints a line; the status is 0 if all passed. Names select tests.
# LONG_MINUTES is how long the random ones run (10).
build=$(cd "$1" && pwd) || exit
shift
top=$(cd "$(dirname "$0")/.." && pwd)
minutes=${LONG_MINUTES:-10}
wanted=" $* "
failed=0

# long NAME EXPECTED COMMAND…: in an empty folder, with the environment that the runner gives
long() {
	name=$1 expected=$2
	shift 2
	case $wanted in
	'  ' | *" $name "*) ;;
	*) return ;;
	esac
	scratch=$(mktemp -d)
	begun=$(date +%s)
	if (cd "$scratch" && env srcdir="$top/test/erlang" BUILD="$build" ERLTRACE="$build/erltrace" LC_ALL=C TZ=UTC "$@" >"$scratch.out" 2>"$scratch.err" </dev/null) &&
		{ [ -z "$expected" ] || cmp -s "$expected" "$scratch.out"; }; then
		echo "ok   $name ($(($(date +%s) - begun)) s)"
		rm -rf "$scratch" "$scratch.out" "$scratch.err"
	else
		echo "FAIL $name ($(($(date +%s) - begun)) s), in $scratch"
		[ -z "$expected" ] || diff -u "$expected" "$scratch.out" | head -n 40
		tail -n 20 "$scratch.err"
		failed=$((failed + 1))
	fi
}

tests=$top/test/erlang
# 10 million turns of a tail-recursive loop, 100,000 processes, 8 times 500,000 calls
every=$(mktemp)
sed 's/^tail .*/tail 10000001/' "$tests/tst.safety.sh.out" >"$every"
long safety "$every" TURNS=10000000 PROCESSES=100000 CALLS=500000 sh "$tests/tst.safety.sh"
# every way to end, 200 times in all
ways='term kill begin clause end agent hub both cut'
list= i=0
while [ $i -lt 23 ]; do
	list="$list $ways"
	i=$((i + 1))
done
{
	echo ok
	for way in $list; do echo "$way: clean"; done
	printf 'ok\nalive\n'
} >"$every"
long endings "$every" sh "$tests/tst.clean.sh" $list
rm -f "$every"
# ten thousand attaches
long attaches "$tests/tst.atoms.sh.out" ATTACHES=10000 sh "$tests/tst.atoms.sh"
# a thousand scripts beside processes on dirty schedulers
long dirty "$tests/tst.dirty.sh.out" CYCLES=1000 sh "$tests/tst.dirty.sh"
# random scripts and damaged objects
long random "$tests/tst.random.sh.out" RANDOM_SECONDS=$((minutes * 30)) sh "$tests/tst.random.sh"
# the same with the part inside the VM built with sanitizers
long fuzz '' sh "$tests/fuzz_long.sh" "$minutes"
exit $((failed > 0))
