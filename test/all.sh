# all.sh BUILD: the whole of `make test`. Each step adds a line to the results; a step that breaks is a failure. It
# shows what runs and how far it is.
build=$1
mkdir -p "$build"
results=$PWD/$build/results
case $build in /*) results=$build/results ;; esac
rm -f "$results"
jobs=$(nproc 2>/dev/null || echo 2)
steps=10 at=0 begun=$(date +%s)

title() { # title LABEL
	at=$((at + 1))
	echo "== [$at/$steps, $((($(date +%s) - begun) / 60)) min] $1"
}
# quiet COMMAND…: writes its output to a file, and shows the last line of it now and then
quiet() {
	{
		"$@" 2>&1
		echo $? >"$build/step.status"
	} | tee "$build/step.log" | {
		last=$(date +%s)
		while read -r line; do
			now=$(date +%s)
			[ $((now - last)) -lt 10 ] && continue
			echo "     $line"
			last=$now
		done
	}
	[ "$(cat "$build/step.status")" = 0 ]
}
step() { # step LABEL COMMAND…: one test that passes when the command does
	label=$1
	shift
	if quiet "$@"; then
		echo "1 0 0 $label" >>"$results"
	else
		tail -n 40 "$build/step.log"
		echo "FAIL $label"
		echo "0 1 0 $label" >>"$results"
		return 1
	fi
}
suite() { # suite LABEL MAKE-ARGUMENTS…
	title "$1"
	label=$1
	shift
	step "$label: build" make --no-print-directory -j"$jobs" "$@" tests-built || return
	{
		make --no-print-directory -s RESULTS="$results" "$@" suite 2>&1
		echo $? >"$build/step.status"
	} | grep --line-buffered -v '^make'
	# failing tests do not end it
	[ "$(cat "$build/step.status")" = 0 ] || {
		echo "FAIL $label: not all suites ran"
		echo "0 1 0 $label" >>"$results"
	}
}
alone() { # alone LABEL COMMAND…
	title "$1"
	step "$@"
}

suite 'gcc' BUILD="$build"
alone 'installed library' sh test/installed.sh "$build"
title 'the demonstration on a machine with nothing but git, make and gcc'
sh test/fresh.sh -c demo -r "$results" "${ERLTRACE_CACHE:-$build}/fresh" bookworm
title 'the kernel engine on arm64, emulated'
if [ -n "$ERLTRACE_FRESH" ] || [ "$(uname -m)" != x86_64 ]; then
	echo 'SKIP the kernel engine on arm64: done once, on an ordinary machine with x86-64'
	echo '0 0 1 kernel engine on arm64' >>"$results"
else
	TESTS=few sh test/kernels/arm64.sh "$build" "$results" || grep -q 'kernel engine on arm64$' "$results" || {
		echo 'FAIL the kernel engine on arm64: not built'
		echo '0 1 0 kernel engine on arm64' >>"$results"
	}
fi
suite 'ASan and UBSan' BUILD="$build/address" SAN=address
suite 'TSan' BUILD="$build/thread" SAN=thread
suite 'tiny tables, ASan and UBSan' BUILD="$build/tiny" SAN=address TINY=1
alone 'clang without warnings' make --no-print-directory -j"$jobs" BUILD="$build/clang" CC=clang CFLAGS='-O2 -g -Werror' tests-built
alone 'gcc without warnings' make --no-print-directory -j"$jobs" BUILD="$build/werror" CFLAGS='-O2 -g -Werror' tests-built
title 'fuzz targets'
if ls fuzz/*.c >/dev/null 2>&1; then
	step 'fuzz targets: build' make --no-print-directory -j"$jobs" BUILD="$build" fuzz-built &&
		make --no-print-directory -s BUILD="$build" RESULTS="$results" FUZZ_SECONDS="${SMOKE_SECONDS:-5}" fuzz-smoke
fi
sh test/sum.sh "$results"
