# arm64.sh: sourced by tests that need a VM of arm64. $ERL is then Debian 13's OTP 27 for arm64 in qemu's user mode, fetched once into
# $ERLTRACE_CACHE or the build folder. (OTP 25 and its JIT do not run in qemu: that needs +JMsingle, which came with OTP 26.)
skip() {
	echo "$1" >&2
	exit 67
}
[ "$(uname -m)" = x86_64 ] || skip 'this machine is not an x86-64, so there is nothing to emulate'
[ -e "$BUILD/otp/erltrace/priv/aarch64/erltrace_tracer.so" ] || skip 'built without the library for arm64 (gcc-aarch64-linux-gnu)'
command -v qemu-aarch64 >/dev/null || skip 'qemu-aarch64 is not installed (qemu-user)'
[ "$(erl -noinput -eval 'io:format("~s", [erlang:system_info(otp_release) =< "27"]), halt().')" = true ] ||
	skip "the modules are of this machine's OTP, which is newer than that VM: it cannot load them"
arm64=${ERLTRACE_CACHE:-$BUILD}/otp27-arm64
mkdir -p "$arm64" && arm64=$(cd "$arm64" && pwd) || exit 1

why=$(sh "$srcdir/../arm64/fetch.sh" "$arm64" trixie erlang-base 2>&1) || skip "the VM could not be fetched: $why"

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
