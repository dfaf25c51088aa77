# setup.sh [kernels] [otp-usdt] [bench]: installs what is missing for building and testing, on Debian and its kin. Fast
# when nothing is. The words name what only those targets need.
missing=
need() { # need PACKAGE: unless the test in the rest succeeds
	package=$1
	shift
	"$@" >/dev/null 2>&1 || missing="$missing $package"
}
header() {
	echo "#include <$1>" | ${CC:-cc} -E -include stddef.h -include stdarg.h -include stdint.h -include setjmp.h -x c - 2>/dev/null
}
clang_runtime() {
	set -- /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a /usr/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a
	for f; do
		[ -e "$f" ] && return 0
	done
	return 1
}
need gcc command -v gcc
need libc6-dev header stdio.h
need libcmocka-dev header cmocka.h
need clang command -v clang
need libclang-rt-dev clang_runtime
need cpp command -v cpp
need diffutils command -v diff
need pkg-config command -v pkg-config
# The Erlang part: the VM with ei and the NIF header, what its tests run in, and a real system to trace.
otp_library() {
	set -- /usr/lib/erlang/lib/"$1"-*/ebin
	[ -d "$1" ]
}
need erlang-base command -v erl
need erlang-dev test -e "${ERL_ROOT:-/usr/lib/erlang}/usr/include/ei.h"
need erlang-common-test otp_library common_test
need erlang-runtime-tools otp_library runtime_tools
need erlang-proper otp_library proper
need elixir command -v mix
# Not where installing it would start a service; its test is skipped there.
[ -d /run/systemd/system ] || need rabbitmq-server test -e /usr/lib/rabbitmq/bin/rabbitmq-server
proper_header() {
	set -- /usr/lib/erlang/lib/proper-*/include/proper.hrl
	[ -e "$1" ]
}
need erlang-proper-dev proper_header
need rebar3 command -v rebar3
need git command -v git
# The page: its server, and the browser that its tests drive; test/web/run.sh gets what comes from npm.
need libwebsockets-dev header libwebsockets.h
need libjansson-dev header jansson.h
need chromium command -v "${CHROMIUM:-chromium}"
need nodejs command -v node
need npm command -v npm
need libxml2-utils command -v xmllint
for more; do
	case $more in
	kernels)
		need qemu-system-x86 command -v qemu-system-x86_64
		need seabios test -e /usr/share/seabios/bios-256k.bin
		need busybox-static command -v busybox
		need cpio command -v cpio
		need xz-utils command -v xz
		;;
	otp-usdt)
		need systemtap-sdt-dev command -v dtrace
		need g++ command -v g++
		need perl command -v perl
		need make command -v make
		need xz-utils command -v xz
		need libncurses-dev header curses.h
		;;
	bench)
		need bpftrace command -v bpftrace
		need systemtap-sdt-dev header sys/sdt.h
		;;
	esac
done
[ -z "$missing" ] && exit 0

if ! command -v apt-get >/dev/null 2>&1; then
	echo "setup: please install what these Debian packages hold:$missing" >&2
	exit 1
fi
as_root=
if [ "$(id -u)" != 0 ]; then
	if ! command -v sudo >/dev/null 2>&1; then
		echo "setup: as root: apt-get install$missing" >&2
		exit 1
	fi
	as_root=sudo
fi
echo "setup: installing$missing"
DEBIAN_FRONTEND=noninteractive
export DEBIAN_FRONTEND
$as_root apt-get install -y -q --no-install-recommends $missing >/dev/null 2>&1 && exit 0
$as_root apt-get update -q >/dev/null && $as_root apt-get install -y -q --no-install-recommends $missing
