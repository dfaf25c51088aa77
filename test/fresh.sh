# fresh.sh [-c 'COMMAND…'] [-r RESULTS] CACHE RELEASE…: `make demo` and `make test` as a new user runs them: from a clone of the current commit, on a Debian
# that has nothing but git, make and gcc. Commands are demo and test (the default is both), otp (the tests of Erlang nodes alone),
# and shell, which is for people: it opens a shell there. Releases are what debootstrap knows: bookworm, trixie, testing.
#
# The machine is a chroot below CACHE, made by debootstrap once and kept as an archive; the packages that were fetched are kept, too.
# It has mounts of its own, which are gone with its last process, and packages come from where this machine has them. Needs root.
# KEEP=1 leaves the folder for a look. Logs are CACHE/RELEASE-COMMAND.log. RESULTS gets lines of "passed failed skipped label".
commands='demo test' results=/dev/null
while getopts c:r: option; do
	case $option in
	c) commands=$OPTARG ;;
	r) results=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -ge 2 ] || exit 2
mkdir -p "$1" && cache=$(cd "$1" && pwd) || exit
shift
top=$(cd "$(dirname "$0")/.." && pwd)
root=
failed=0

skip() { # skip WHY: all of it
	echo "SKIP fresh machines: $1"
	echo "0 0 1 fresh machines" >>"$results"
	exit 0
}
[ -z "$ERLTRACE_FRESH" ] || skip 'this is one'
[ "$(id -u)" = 0 ] || skip 'only root can make them'
command -v debootstrap >/dev/null || skip 'debootstrap is not installed'
unshare --mount true 2>/dev/null || skip 'mounts of its own are not allowed here'
git -C "$top" rev-parse -q --verify HEAD >/dev/null 2>&1 || skip 'the sources are not a clone of git'

# Ends what runs in the chroot: every process whose root folder it is. Prints what there was, by name.
end_all() {
	here=$(stat -c %d:%i "$root") || return
	for p in /proc/[0-9]*; do
		[ "$(stat -L -c %d:%i "$p/root" 2>/dev/null)" = "$here" ] || continue
		[ "$(cut -d ' ' -f 2 "$p/stat" 2>/dev/null)" = '(epmd)' ] || echo "$(tr '\0' ' ' <"$p/cmdline")"
		kill -9 "${p#/proc/}"
	done 2>/dev/null
}
# Mounts are in another namespace. --one-file-system is a safeguard in case one is not.
finish() {
	[ -n "$root" ] && [ -d "$root" ] || return
	end_all >/dev/null
	[ -n "$KEEP" ] || rm -rf --one-file-system "$root"
}
trap finish EXIT
trap 'exit 1' INT TERM HUP

# Debian's own address that this machine installs from; nothing where it has another: debootstrap knows one.
mirror() {
	sed -n 's/^deb  *\(\[.*\]  *\)\{0,1\}\([a-z]*:[^ ]*\/debian\)\/\{0,1\} .*/\2/p; s/^URIs: *\([^ ]*\/debian\)\/\{0,1\} *$/\1/p' \
		/etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null | head -n 1
}
# A new machine of this release, as an archive.
base() { # base RELEASE
	[ -s "$cache/$1.tar" ] && [ -n "$(find "$cache/$1.tar" -mtime -30)" ] && return 0
	echo "   making a machine of Debian $1 (once)"
	rm -rf --one-file-system "$cache/$1.base"
	debootstrap --variant=minbase --include=git,make,gcc "$1" "$cache/$1.base" $(mirror) >"$cache/$1.log" 2>&1 || {
		tail -n 5 "$cache/$1.log" >&2
		return 1
	}
	rm -rf "$cache/$1.base"/var/lib/apt/lists/* "$cache/$1.base"/var/cache/apt/archives/*.deb
	tar -C "$cache/$1.base" -cf "$cache/$1.tar.new" . && mv "$cache/$1.tar.new" "$cache/$1.tar"
	status=$?
	rm -rf --one-file-system "$cache/$1.base"
	return $status
}
# The network as this machine has it: names, proxies, and the authorities that it trusts.
network() {
	cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
	apt-config dump 2>/dev/null | grep -i '^Acquire::\(https*::Proxy\|Check-Valid-Until\)' >"$root/etc/apt/apt.conf.d/50fresh"
	for name in NODE_EXTRA_CA_CERTS SSL_CERT_FILE; do
		eval "file=\$$name"
		[ -f "$file" ] || continue
		cp -L "$file" "$root/etc/fresh-$name" # not its own name: packages would write there
		echo "export $name='/etc/fresh-$name'"
	done >"$root/etc/fresh.env"
	for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY npm_config_registry; do
		eval "value=\$$name"
		[ -z "$value" ] || echo "export $name='$value'"
	done >>"$root/etc/fresh.env"
}
in_chroot() { # in_chroot RELEASE COMMAND
	mkdir -p "$cache/packages-$1/partial"
	cp "$root/etc/fresh.env" "$root/run-fresh"
	cat >>"$root/run-fresh" <<-END
		export HOME=/root LC_ALL=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin ERLTRACE_FRESH=1 TERM='$TERM'
		export DEMO_SECONDS='${DEMO_SECONDS:-5}' SMOKE_SECONDS='$SMOKE_SECONDS'
		cd /root/erltrace && $2
	END
	env -i PATH="$PATH" unshare --mount --fork --kill-child sh -c '
		set -e
		mount --bind "$1" "$1"
		for dir in dev sys; do mount --rbind /$dir "$1/$dir"; done
		mount -t proc proc "$1/proc"
		mount --bind "$2" "$1/var/cache/apt/archives"
		cd "$1"
		mkdir -p old
		pivot_root . old # chroot is not enough: paths from the kernel must begin here too
		umount -l old
		rmdir old
		exec chroot . sh /run-fresh' sh "$root" "$cache/packages-$1"
}

run() { # run RELEASE COMMAND
	log=$cache/$1-$2.log
	label="fresh Debian $1: make $2"
	begun=$(date +%s)
	echo "== $label"
	root=$cache/root-$1-$2
	finish # of one that was killed
	mkdir -p "$root" && base "$1" && tar -C "$root" -xf "$cache/$1.tar" && network &&
		git -C "$top" bundle create -q "$root/root/erltrace.bundle" HEAD && git -c advice.detachedHead=false clone -q "$root/root/erltrace.bundle" "$root/root/erltrace" || {
		verdict "$1" "$2" 'could not be set up'
		return
	}
	case $2 in
	shell)
		in_chroot "$1" 'exec sh -i'
		finish
		return
		;;
	esac
	in_chroot "$1" "make $2" </dev/null >"$log" 2>&1
	status=$?
	left=$(end_all)
	why=
	[ $status = 0 ] || why="ended with $status"
	[ -n "$why$left" ] && why="$why${why:+, }${left:+left behind: $left}"
	[ -n "$why" ] || why=$(expected_"$2" | paste -s -d ';')
	verdict "$1" "$2" "$why"
	finish
}
# What must be seen: the node in the terminal, with its page, and of packages only what that needs.
expected_demo() {
	grep -Eq '^ *stock +[0-9]+ +[0-9]+ +[0-9]+$' "$log" || echo 'no table of the servers'
	grep -q 'Distribution' "$log" || echo 'no histogram'
	grep -Eq '^http://127.0.0.1:[0-9]+/\?token=[0-9a-f]{32}$' "$log" || echo 'no page'
	grep -q '^setup: will install ' "$log" || echo 'not said what is installed'
	for package in rabbitmq-server chromium erlang-proper clang nodejs; do
		[ ! -e "$root/var/lib/dpkg/info/$package.list" ] || echo "$package was installed"
	done
	! grep -qi 'warning:' "$log" || echo 'a compiler warns'
}
expected_test() {
	tail -n 1 "$log" | grep -Eq '^[0-9]+ passed, 0 failed, [0-9]+ skipped$' || tail -n 1 "$log"
}
expected_otp() {
	expected_test
}
verdict() { # verdict RELEASE COMMAND WHY-NOT
	said=$(tail -n 1 "$log" 2>/dev/null)
	if [ -z "$3" ]; then
		echo "   ok ($(($(date +%s) - begun)) s)$([ "$2" = demo ] || echo ": $said")"
		echo "1 0 0 $label" >>"$results"
	else
		echo "   FAIL ($(($(date +%s) - begun)) s): $3"
		[ ! -s "$log" ] || tail -n 20 "$log" | sed 's/^/   | /'
		echo "   the whole: $log"
		echo "0 1 0 $label" >>"$results"
		failed=$((failed + 1))
	fi
}

[ -z "$(git -C "$top" status --porcelain --untracked-files=no)" ] || echo 'fresh machines get the last commit, without what was changed since'
for release; do
	for command in $commands; do
		run "$release" "$command"
	done
done
exit $((failed > 0))
