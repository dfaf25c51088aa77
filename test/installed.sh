# installed.sh BUILD: installs into a new folder, builds the example against it as a user would (pkg-config, shared and
# static), runs both, runs the installed command, and uninstalls without leaving a file.
set -e
build=$1
dest=$(mktemp -d)
trap 'rm -rf "$dest"' EXIT
make --no-print-directory -s BUILD="$build" PREFIX="$dest/usr" install
PKG_CONFIG_PATH=$dest/usr/lib/pkgconfig
export PKG_CONFIG_PATH
pkg-config --exists erltrace
[ "$(pkg-config --modversion erltrace)" = "$("$dest/usr/bin/erltrace" -V | sed 's/.* //')" ]
static=$(pkg-config --static --libs erltrace | sed 's/-lerltrace//')
for example in examples/*.c; do
	name=$(basename "$example" .c)
	cc=${CC:-gcc}
	$cc -std=c11 -Wall -Wextra -Werror -D_GNU_SOURCE $(pkg-config --cflags erltrace) -o "$dest/$name" "$example" $(pkg-config --libs erltrace)
	LD_LIBRARY_PATH=$dest/usr/lib "$dest/$name" >"$dest/$name.out"
	[ -s "$dest/$name.out" ]
	$cc -std=c11 -D_GNU_SOURCE $(pkg-config --cflags erltrace) -o "$dest/$name-static" "$example" "$dest/usr/lib/liberltrace.a" $static
	"$dest/$name-static" >"$dest/$name.out"
	[ -s "$dest/$name.out" ]
done
# The header is valid C++ too, if there is a compiler to check it.
if command -v g++ >/dev/null 2>&1; then
	echo '#include <erltrace.h>' | g++ -fsyntax-only -I"$dest/usr/include" -x c++ -
fi
# Only the public functions are exported.
nm -D --defined-only "$dest/usr/lib/liberltrace.so" | awk '{ print $3 }' | grep -v '^et_' && exit 1
# Every function of the header is exported.
sed -n 's/^.*[ *]\(et_[a-z_]*\)(.*/\1/p' include/erltrace.h | grep -v '_f$\|_cb$' | sort -u >"$dest/declared"
nm -D --defined-only "$dest/usr/lib/liberltrace.so" | awk '{ print $3 }' | sort -u >"$dest/exported"
missing=$(grep -E '^(enum |struct |const |char |void |int|bool|uint).*[ *]et_[a-z_]+\(' include/erltrace.h |
	sed 's/.*[ *]\(et_[a-z_]*\)(.*/\1/' | sort -u | grep -vxFf "$dest/exported" || true)
[ -z "$missing" ] || {
	echo "declared but not exported: $missing"
	exit 1
}
[ "$("$dest/usr/bin/erltrace" -qn 'BEGIN { printf("installed"); exit(0); }')" = installed ]
[ -s "$dest/usr/share/man/man1/erltrace.1" ]
# The part for Erlang nodes is found beside the installed command, and its modules are all there.
if [ -d "$build/otp/erltrace/ebin" ]; then
	otp=$dest/usr/lib/erltrace/otp/erltrace
	[ -s "$otp/priv/erltrace_tracer.so" ] && [ -x "$otp/priv/erltrace" ]
	for dir in ebin priv/agent; do
		(cd "$build/otp/erltrace/$dir" && ls) | while read -r f; do [ -s "$otp/$dir/$f" ]; done
	done
	erl -noinput -sname "installed$$" -setcookie "c$$" &
	node=$!
	trap 'kill -9 $node; rm -rf "$dest"' EXIT
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		got=$("$dest/usr/bin/erltrace" -N "installed$$" --cookie "c$$" -qn 'BEGIN { printf("on %s", node); exit(0); }' 2>/dev/null) && break
		sleep 0.5
	done
	case $got in "on installed$$@"*) ;; *) exit 1 ;; esac
	kill -9 $node
	trap 'rm -rf "$dest"' EXIT
fi
make --no-print-directory -s BUILD="$build" PREFIX="$dest/usr" uninstall
[ -z "$(find "$dest/usr" -type f -o -type l)" ]
