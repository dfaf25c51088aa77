# run.sh BUILD RESULTS [LABEL]: the tests of the OTP application: Common Test suites, an Elixir project that depends on it by path, and
# projects of mix and rebar3 that depend on it by git. Adds "passed failed skipped label" lines to RESULTS. With a sanitizer
# (SAN) only the suites run: the helper program is built with it, the part inside the VM never is.
build=$(cd "$1" && pwd)
results=$2
suite="$3OTP application"
top=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
ERLTRACE_BUILD=$build
DOCS=$top/docs
HOME=$scratch
MIX_HOME=$scratch/mix
HEX_OFFLINE=1
LC_ALL=C.UTF-8
export ERLTRACE_BUILD DOCS HOME MIX_HOME HEX_OFFLINE LC_ALL
unset MIX_ENV
status=0

result() { # result PASSED FAILED SKIPPED LABEL
	echo "$*" >>"$results"
	echo "== $4: $1 passed, $2 failed, $3 skipped"
	[ "$2" = 0 ] || status=1
}
missing() { # missing LABEL COMMAND
	command -v "$2" >/dev/null 2>&1 && return 1
	echo "skipped: $2 is not installed"
	result 0 0 1 "$1"
}
one() { # one LABEL COMMAND…: one test that passes when the command does
	label=$1
	shift
	if "$@" >"$scratch/log" 2>&1; then
		result 1 0 0 "$label"
	else
		tail -n 60 "$scratch/log"
		result 0 1 0 "$label"
	fi
}

# suites that look at the memory of a program need freed memory to be given back
ASAN_OPTIONS="quarantine_size_mb=8${ASAN_OPTIONS:+:$ASAN_OPTIONS}" escript "$top/test/erlang/ct.escript" "$build" "$build/test/ct-logs" "$top/otp/erltrace/test" >"$scratch/ct" 2>&1
counts=$(tail -n 1 "$scratch/ct")
case $counts in
[0-9]*\ [0-9]*\ [0-9]*) ;;
*) counts='0 1 0' ;;
esac
set -- $counts
if grep -q 'Sanitizer' "$scratch/ct"; then
	set -- "$1" "$(($2 + 1))" "$3"
	grep -A 30 'Sanitizer' "$scratch/ct"
fi
[ "$2" = 0 ] || grep -v '^=\|^  \|^$' "$scratch/ct" | tail -n 80
result "$1" "$2" "$3" "$suite"
[ -z "$SAN" ] || exit $status

# The copy includes changes that are not committed yet.
git_copy() {
	mkdir "$scratch/repository" &&
		tar -C "$top" -c --exclude=./build --exclude=./.git --exclude=./test/d . | tar -C "$scratch/repository" -x &&
		git -C "$scratch/repository" init -q -b main &&
		git -C "$scratch/repository" add -A &&
		git -C "$scratch/repository" -c user.name=test -c user.email=test@localhost commit -q -m all
}
mix_test() { # mix_test NAME DEPENDENCY
	cp -R "$top/test/elixir" "$scratch/$1" && cd "$scratch/$1" && DEPENDENCY=$2 MIX_ENV=test &&
		export DEPENDENCY MIX_ENV && mix deps.get && mix test
}
rebar3_test() {
	cp -R "$top/test/rebar3" "$scratch/rebar3" && cd "$scratch/rebar3" &&
		sed "s|REPOSITORY|file://$scratch/repository|" rebar.config.in >rebar.config && rebar3 compile &&
		erl -noshell -pa _build/default/lib/*/ebin -eval 'shop_trace:main(), halt().'
}
missing 'Elixir, by path' mix || one 'Elixir, by path' mix_test path "[path: \"$top/otp/erltrace\"]"
if command -v git >/dev/null 2>&1 && git_copy; then
	missing 'Elixir, by git' mix || one 'Elixir, by git' mix_test git "[git: \"$scratch/repository\"]"
	missing 'rebar3, by git' rebar3 || one 'rebar3, by git' rebar3_test
fi
exit $status
