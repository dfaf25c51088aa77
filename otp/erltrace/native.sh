# native.sh BUILD PRIV: what of the application is not Erlang, for rebar3 and mix: built by make in the folder BUILD (or
# $ERLTRACE_BUILD, where it may have been built before), put into the folder PRIV.
set -e
[ -z "$ERLTRACE_BUILD" ] || set -- "$ERLTRACE_BUILD" "$2"
ERL_ROOT=${ERL_ROOT:-$ERLANG_ROOT_DIR}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1" "$2"
build=$(cd "$1" && pwd)
priv=$(cd "$2" && pwd)
if ! make --no-print-directory -s -C "$here/../.." -j"$(nproc 2>/dev/null || echo 1)" BUILD="$build" \
	${ERL_ROOT:+ERL_ROOT="$ERL_ROOT"} otp-native; then
	echo 'erltrace: its C part could not be built; it needs make, gcc and the header files of Erlang (Debian: erlang-dev)' >&2
	exit 1
fi
for f in erltrace erltrace_tracer.so; do
	cmp -s "$build/otp/erltrace/priv/$f" "$priv/$f" || {
		cp "$build/otp/erltrace/priv/$f" "$priv/$f.new"
		mv "$priv/$f.new" "$priv/$f"
	}
done
