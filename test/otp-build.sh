# otp-build.sh FOLDER KIND: an Erlang VM of the version of Debian's that is installed here, in FOLDER; once.
#
#   usdt   with USDT probes, with the JIT and without (`erl -emu_flavor emu`)
#   emu    as Debian's, but without the JIT
#   musl   for musl's C library instead of glibc (without the JIT, which is C++: Debian has no C++ library for musl)
#
# The sources are those of Debian's package. Only the emulator and the programs beside it are built: FOLDER/bin/erl runs
# it with the installed libraries, which are the same files on every machine. Takes 5 to 20 minutes of two processors.
# What is missing is said and nothing is built: status 67.
set -e
kind=$2
mkdir -p "$1"
folder=$(cd "$1" && pwd)
[ -e "$folder/built" ] && exit 0

skip() {
	echo "otp-$kind: $*" >&2
	exit 67
}
tools=
flags='--without-javac --without-wx --without-odbc --without-ssl --without-termcap'
case $kind in
usdt) tools='dtrace g++' flags="$flags --with-dynamic-trace=systemtap" ;;
emu) flags="$flags --disable-jit" ;;
musl) tools=musl-gcc flags="$flags --disable-jit --enable-builtin-zlib" ;;
*)
	echo "otp-build.sh: no such kind: $kind" >&2
	exit 2
	;;
esac
for tool in apt-get dpkg-query perl make gcc xz erl $tools; do
	command -v $tool >/dev/null || skip "$tool is not here (sh test/setup.sh otp-$kind installs it)"
done
root=$(erl -noshell -eval 'io:put_chars(code:root_dir()), halt().')
erts=$(erl -noshell -eval 'io:put_chars(erlang:system_info(version)), halt().')
version=$(dpkg-query -W -f '${source:Version}' erlang-base 2>/dev/null) || skip "Erlang is not Debian's package erlang-base here"

# The package's sources, by lists of our own: the machine's are left as they are.
. "$(dirname "$0")/../src/release/source.sh"
cd "$folder"
tarball=$(source_of erlang "$version") || skip "$tarball"
rm -rf src
mkdir src
tar -xf "$tarball" -C src --strip-components=1

echo "otp-$kind: building the emulator of OTP $version (log: $folder/build.log)"
(
	cd src
	ERL_TOP=$PWD LC_ALL=C
	export ERL_TOP LC_ALL
	if [ $kind = musl ]; then
		CC="musl-gcc -isystem $(musl_linux "$folder/linux")"
		export CC
	fi
	./configure $flags
	# The programs beside the emulator need libraries that are not built. It does not matter that those fail.
	make -k -j"${JOBS:-$(nproc)}" emulator || [ -x bin/*/beam.smp ]
	[ $kind != usdt ] || make -j"${JOBS:-$(nproc)}" emulator FLAVOR=emu || [ -x bin/*/beam.emu ]
) >build.log 2>&1 || { tail -n 20 build.log >&2; exit 1; }

# The installed VM's helpers beside our emulators.
rm -rf erts bin
mkdir erts bin
if [ $kind = musl ]; then
	for program in beam.smp erl_child_setup inet_gethost erlexec; do
		cp src/bin/*/$program erts/
	done
	cp "$root/bin/start.boot" "$root/bin/no_dot_erlang.boot" erts/
	# a program of its own, which nodes only talk to
	ln -s "$root/erts-$erts/bin/epmd" erts/
else
	ln -s "$root/erts-$erts/bin"/* erts/
	rm -f erts/beam*
	cp src/bin/*/beam.* erts/
fi
cat >bin/erl <<END
#!/bin/sh
ROOTDIR=$root BINDIR=$folder/erts EMU=beam PROGNAME=erl
export ROOTDIR BINDIR EMU PROGNAME
exec "\$BINDIR/erlexec" \${1+"\$@"}
END
chmod 755 bin/erl
case $kind in
usdt) is='dynamic_trace systemtap' ;;
*) is='emu_flavor emu' ;;
esac
said=$(bin/erl -noshell -eval "io:put_chars(atom_to_list(erlang:system_info(${is% *}))), halt().")
[ "$said" = "${is#* }" ] || { echo "otp-$kind: of the emulator that was built, ${is% *} is $said" >&2; exit 1; }
rm -rf src apt
touch built
