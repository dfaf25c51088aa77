# arm64.sh: sourced by tests that need a VM of arm64. $ERL is then Debian 13's OTP 27 for arm64 in qemu's user mode, fetched once into
# $ERLTRACE_CACHE or the build folder. (OTP 25 and its JIT do not run in qemu: that needs +JMsingle, which came with OTP 26.)
skip() {
	echo "$1" >&2
	exit 67
}
[ "$(uname -m)" = x86_64 ] || skip 'this machine is not an x86-64, so there is nothing to emulate'
[ -e "$BUILD/otp/erltrace/priv/aarch64/erltrace_tracer.so" ] || skip 'built without the library for arm64 (gcc-aarch64-linux-gnu)'
command -v qemu-aarch64 >/dev/null || skip 'qemu-aarch64 is not installed (qemu-user)'
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || skip 'the VM comes as a package of Debian, and apt-get is not here'
arm64=${ERLTRACE_CACHE:-$BUILD}/otp27-arm64
mkdir -p "$arm64" && arm64=$(cd "$arm64" && pwd) || exit 1

arm64_fetch() {
	rm -rf "$arm64/new"
	mkdir -p "$arm64/new/state/lists/partial" "$arm64/new/cache/archives/partial" "$arm64/new/root/usr/lib" "$arm64/new/root/usr/bin" || return
	: >"$arm64/new/state/status"
	mirror=$(sed -n 's/^deb  *\(\[.*\]  *\)\{0,1\}\([a-z]*:[^ ]*\/debian\)\/\{0,1\} .*/\2/p; s/^URIs: *\([^ ]*\/debian\)\/\{0,1\} *$/\1/p' \
		/etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null | head -n 1)
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror:-http://deb.debian.org/debian} trixie main" >"$arm64/new/sources.list"
	cat >"$arm64/new/apt.conf" <<-END
		APT::Architecture "arm64";
		APT::Architectures { "arm64"; };
		APT::Install-Recommends "false";
		APT::Sandbox::User "root";
		Acquire::Languages "none";
		Dir::State "$arm64/new/state";
		Dir::State::status "$arm64/new/state/status";
		Dir::Cache "$arm64/new/cache";
		Dir::Etc::sourcelist "$arm64/new/sources.list";
		Dir::Etc::sourceparts "/nonexistent";
	END
	APT_CONFIG=$arm64/new/apt.conf apt-get -q update >"$arm64/log" 2>&1 &&
		APT_CONFIG=$arm64/new/apt.conf apt-get -q -y -d install erlang-base >>"$arm64/log" 2>&1 || return
	ln -s usr/lib usr/bin "$arm64/new/root/" || return
	for package in "$arm64/new/cache/archives"/*.deb; do
		dpkg-deb -x "$package" "$arm64/new/root" || return
	done
	rm -rf "$arm64/new/cache" "$arm64/new/state" "$arm64/root" && mv "$arm64/new/root" "$arm64/root"
}
(
	flock 9 || exit
	[ -e "$arm64/root/usr/lib/erlang/bin/erl" ] || arm64_fetch
) 9>"$arm64/lock" || skip "the VM could not be fetched: $(tail -n 1 "$arm64/log")"

# What the VM starts itself is of arm64, too.
arm64_erts=$(echo "$arm64"/root/usr/lib/erlang/erts-*)
mkdir bin || exit
for program in erl_child_setup inet_gethost; do
	printf '#!/bin/sh\nexec qemu-aarch64 -L "%s" "%s" "$@"\n' "$arm64/root" "$arm64_erts/bin/$program" >bin/$program
	chmod +x bin/$program
done
cat >erl-arm64 <<END
#!/bin/sh
# Flags of the emulator begin with +; here, without erlexec, with -.
export BINDIR=$PWD/bin EMU=beam ROOTDIR=$arm64/root/usr/lib/erlang PROGNAME=erl
first=1 emulator='-JMsingle true'
for word; do
	[ \$first = 0 ] || set --
	first=0
	case \$word in
	+*) emulator="\$emulator -\${word#+}" value=1 ;;
	*) if [ "\$value" = 1 ]; then emulator="\$emulator \$word" value=0; else set -- "\$@" "\$word"; fi ;;
	esac
done
exec qemu-aarch64 -L "$arm64/root" "$arm64_erts/bin/beam.smp" \$emulator -- -root "\$ROOTDIR" -bindir "\$BINDIR" -progname erl -- -home "\${HOME:-/root}" -- "\$@"
END
chmod +x erl-arm64
ERL=$PWD/erl-arm64
