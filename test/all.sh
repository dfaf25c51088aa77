# all.sh BUILD: the whole of `make test`. Each step adds a line to the results; a step that breaks is a failure.
build=$1
mkdir -p "$build"
results=$PWD/$build/results
case $build in /*) results=$build/results ;; esac
rm -f "$results"
jobs=$(nproc 2>/dev/null || echo 2)

step() { # step LABEL COMMAND…: one test that passes when the command does
	label=$1
	shift
	echo "== $label"
	if "$@" >"$build/step.log" 2>&1; then
		echo "1 0 0 $label" >>"$results"
	else
		tail -n 40 "$build/step.log"
		echo "0 1 0 $label" >>"$results"
		return 1
	fi
}
suite() { # suite LABEL MAKE-ARGUMENTS…
	label=$1
	shift
	step "$label: build" make --no-print-directory -j"$jobs" "$@" tests-built &&
		make --no-print-directory -s RESULTS="$results" "$@" suite 2>&1 | grep --line-buffered -v '^make'
}

suite gcc BUILD="$build"
step 'installed library' sh test/installed.sh "$build"
suite 'ASan and UBSan' BUILD="$build/address" SAN=address
suite TSan BUILD="$build/thread" SAN=thread
suite 'tiny tables, ASan and UBSan' BUILD="$build/tiny" SAN=address TINY=1
step 'clang without warnings' make --no-print-directory -j"$jobs" BUILD="$build/clang" CC=clang CFLAGS='-O2 -g -Werror' tests-built
step 'gcc without warnings' make --no-print-directory -j"$jobs" BUILD="$build/werror" CFLAGS='-O2 -g -Werror' tests-built
if ls fuzz/*.c >/dev/null 2>&1; then
	step 'fuzz targets: build' make --no-print-directory -j"$jobs" BUILD="$build" fuzz-built &&
		make --no-print-directory -s BUILD="$build" RESULTS="$results" FUZZ_SECONDS="${SMOKE_SECONDS:-5}" fuzz-smoke
fi
sh test/sum.sh "$results"
