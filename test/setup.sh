# setup.sh [GROUP…]: installs what is missing, on Debian and its kin; says first what that is. Fast when nothing is missing.
#   demo       what `make demo` uses: a compiler, Erlang, and the libraries of the page
#   kernel     clang, which the kernel engine is built with
#   check      what `make check` uses: all of that, and cmocka
#   test       what `make test` uses: all of that, and what only tests run (RabbitMQ, Elixir, PropEr, Chromium, Node.js). The default
#   static     what `make static` uses beside what the command is built with
#   kernels, kernels-arm64, otp-usdt, otp-emu, otp-musl, bench, fresh, arm64    what only those targets use
missing=
need() { # need PACKAGE COMMAND…: the package is needed unless the command succeeds
	package=$1
	shift
	"$@" >/dev/null 2>&1 && return
	case " $missing " in
	*" $package "*) ;;
	*) missing="$missing $package" ;;
	esac
}
header() {
	echo "#include <$1>" | ${CC:-cc} -E -include stddef.h -include stdarg.h -include stdint.h -include setjmp.h -x c - 2>/dev/null
}
some() { # some PATH…: whether a pattern matched a file
	[ -e "$1" ]
}
clang_runtime() {
	some /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a || some /usr/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a
}
folsom() { # whether it is there, or this release has none
	otp_library folsom || ! apt-cache show erlang-folsom
}
otp_library() {
	some /usr/lib/erlang/lib/"$1"-*/ebin
}

demo() {
	need gcc command -v gcc
	need libc6-dev header stdio.h
	# the VM, with ei and the header file for NIFs
	need erlang-base command -v erl
	need erlang-dev test -e "${ERL_ROOT:-/usr/lib/erlang}/usr/include/ei.h"
	# the page's server
	need libwebsockets-dev header libwebsockets.h
	need libjansson-dev header jansson.h
	# symbols that stripped programs keep packed
	need liblzma-dev header lzma.h
}
kernel() {
	need clang command -v clang
}
check() {
	demo
	kernel
	need libcmocka-dev header cmocka.h
	need cpp command -v cpp
	need diffutils command -v diff
	need erlang-runtime-tools otp_library runtime_tools
	need erlang-ssl otp_library ssl
	need openssl command -v openssl
}
tests() {
	check
	need libclang-rt-dev clang_runtime
	need pkg-config command -v pkg-config
	need erlang-common-test otp_library common_test
	need erlang-inets otp_library inets
	need erlang-folsom folsom
	need erlang-proper otp_library proper
	need erlang-proper-dev some /usr/lib/erlang/lib/proper-*/include/proper.hrl
	need elixir command -v mix
	need rebar3 command -v rebar3
	need git command -v git
	need xz-utils command -v xz
	# completion is tried in it
	need zsh command -v zsh
	# another C library, which nodes may have
	need musl-tools command -v musl-gcc
	# another consumer of the library's USDT sites
	need bpftrace command -v bpftrace
	# other OTP releases, as they are unpacked
	[ "$(uname -m)" != x86_64 ] || need patchelf command -v patchelf
	# nodes on arm64, emulated
	[ "$(uname -m)" != x86_64 ] || arm64
	# and the kernel engine there; not needed inside a fresh machine
	[ "$(uname -m)" != x86_64 ] || [ -n "$ERLTRACE_FRESH" ] || arm64_machine
	# networks of their own for nodes in namespaces
	need iproute2 command -v ip
	# and roots of their own
	own_root
	# A real system to trace. Not where installing it would start a service; its test is skipped there.
	[ -d /run/systemd/system ] || need rabbitmq-server test -e /usr/lib/rabbitmq/bin/rabbitmq-server
	# The real scraper of metrics and the real receiver of alerts, likewise.
	[ -d /run/systemd/system ] || need prometheus command -v prometheus
	[ -d /run/systemd/system ] || need prometheus-alertmanager command -v prometheus-alertmanager
	# The browser that the page's tests drive; test/web/run.sh gets what comes from npm.
	need chromium command -v "${CHROMIUM:-chromium}"
	need nodejs command -v node
	need npm command -v npm
	need libxml2-utils command -v xmllint
	# for making a machine with nothing on it; only root can, and it is not needed inside such a machine
	[ "$(id -u)" != 0 ] || [ -n "$ERLTRACE_FRESH" ] || fresh
}
arm64_compiler() {
	need gcc-aarch64-linux-gnu command -v aarch64-linux-gnu-gcc
	need libc6-dev-arm64-cross test -e /usr/aarch64-linux-gnu/include/stdio.h
}
arm64() {
	arm64_compiler
	need qemu-user command -v qemu-aarch64
}
arm64_machine() {
	need qemu-system-arm command -v qemu-system-aarch64
	need cpio command -v cpio
}
own_root() {
	# only root can make them; in a package that not everybody has only after Debian 13
	[ "$(id -u)" != 0 ] || need util-linux-extra command -v pivot_root
}
fresh() {
	own_root
	need debootstrap command -v debootstrap
	need git command -v git
}
[ $# -gt 0 ] || set -- test
for group; do
	case $group in
	demo | kernel | check | fresh | arm64) $group ;;
	test) tests ;;
	kernels)
		need qemu-system-x86 command -v qemu-system-x86_64
		need seabios test -e /usr/share/seabios/bios-256k.bin
		need busybox-static command -v busybox
		need cpio command -v cpio
		need xz-utils command -v xz
		;;
	kernels-arm64)
		arm64
		arm64_machine
		;;
	static)
		# for the library that nodes on arm64 load: it is for other machines than this
		[ "$(uname -m)" != x86_64 ] || arm64_compiler
		need musl-tools command -v musl-gcc
		need cmake command -v cmake
		need linux-libc-dev header linux/bpf.h
		need xz-utils command -v xz
		need dpkg-dev command -v dpkg-source
		;;
	otp-usdt | otp-emu | otp-musl)
		[ "$group" != otp-usdt ] || need systemtap-sdt-dev command -v dtrace
		[ "$group" != otp-musl ] || need musl-tools command -v musl-gcc
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
	*)
		echo "setup: no such group: $group" >&2
		exit 2
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
		echo "setup: these packages are missing, and only root can install them: apt-get install$missing" >&2
		exit 1
	fi
	as_root='sudo DEBIAN_FRONTEND=noninteractive'
fi
DEBIAN_FRONTEND=noninteractive
export DEBIAN_FRONTEND
log=$(mktemp) || exit
trap 'rm -f "$log" "$log.status"' EXIT
trap 'exit 1' INT TERM HUP

# apt OPTION…: the packages and what they need
apt() {
	$as_root env LC_ALL=C apt-get "$@" --no-install-recommends install $missing
}
# "Need to get …" and "After this operation …", for people to read before it happens
size() {
	apt --assume-no -q 2>/dev/null | sed -n 's/^.* \([0-9]*\) newly installed.*/\1 packages/p;
		s/^Need to get \(.*\) of archives\./\1 to download/p; s/^After this operation, \(.*\) of additional disk space.*/\1 on disk/p' |
		paste -s -d , | sed 's/,/, /g'
}
update() {
	echo 'setup: reading the lists of packages anew'
	$as_root apt-get update -q >"$log" 2>&1 || {
		tail -n 5 "$log" >&2
		return 1
	}
}
# The install, with a line now and then: how far it is.
install() {
	{
		apt -y -q 2>&1
		echo $? >"$log.status"
	} | tee "$log" | {
		got=0 out=0 up=0 last=$(date +%s)
		while read -r line; do
			case $line in
			Get:*) got=$((got + 1)) said="fetching, $got" ;;
			Unpacking\ *) out=$((out + 1)) said="unpacking, $out" ;;
			Setting\ up\ *) up=$((up + 1)) said="setting up, $up" ;;
			*) continue ;;
			esac
			now=$(date +%s)
			[ $((now - last)) -lt 10 ] && continue
			echo "setup:   $said of $packages"
			last=$now
		done
	}
	[ "$(cat "$log.status")" = 0 ]
}

echo "setup: will install$missing"
apt -s >/dev/null 2>&1 || update || exit
size=$(size)
packages=${size%% *}
echo "setup: with what they need: $size"
install && exit 0
# Lists from yesterday name files that are gone.
update && install && exit 0
grep '^E:' "$log" >&2 || tail -n 5 "$log" >&2
echo "setup: apt-get could not install$missing" >&2
exit 1
