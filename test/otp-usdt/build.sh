# build.sh FOLDER: an Erlang VM with USDT probes, of the version of Debian's that is installed here, in FOLDER; once.
#
# The sources are those of Debian's package. Only the emulator is built, with the JIT and without (`erl -emu_flavor
# emu`): FOLDER/bin/erl runs it with the installed libraries. Takes 5 to 20 minutes of two processors.
# What is missing is said and nothing is built: status 67.
set -e
mkdir -p "$1"
folder=$(cd "$1" && pwd)
[ -e "$folder/built" ] && exit 0

skip() {
	echo "otp-usdt: $*" >&2
	exit 67
}
for tool in apt-get dpkg-query dtrace perl make gcc g++ xz erl; do
	command -v $tool >/dev/null || skip "$tool is not here (apt-get install erlang-base systemtap-sdt-dev perl g++ make xz-utils)"
done
root=$(erl -noshell -eval 'io:put_chars(code:root_dir()), halt().')
erts=$(erl -noshell -eval 'io:put_chars(erlang:system_info(version)), halt().')
version=$(dpkg-query -W -f '${source:Version}' erlang-base 2>/dev/null) || skip "Erlang is not Debian's package erlang-base here"

# The package's sources, by lists of our own: the machine's are left as they are.
mkdir -p "$folder/apt/parts" "$folder/apt/lists/partial"
sources=$(cat /etc/apt/sources.list.d/debian.sources 2>/dev/null || true)
if [ -n "$sources" ]; then
	echo "$sources" | sed 's/^Types:.*/Types: deb-src/' >"$folder/apt/parts/src.sources"
else
	sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >"$folder/apt/parts/src.list"
fi
apt() {
	apt-get -q -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$folder/apt/parts" -o "Dir::State::lists=$folder/apt/lists" \
		-o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root "$@"
}
cd "$folder"
tarball=$(ls erlang_*.orig.tar.xz 2>/dev/null | head -1 || true)
if [ -z "$tarball" ]; then
	echo "otp-usdt: getting the sources of erlang $version"
	apt update >apt.log 2>&1 || skip "apt-get update failed: $folder/apt.log"
	apt source --download-only "erlang=$version" >>apt.log 2>&1 || skip "apt-get source failed: $folder/apt.log"
	tarball=$(ls erlang_*.orig.tar.xz | head -1)
fi
rm -rf src
mkdir src
tar -xf "$tarball" -C src --strip-components=1

echo "otp-usdt: building the emulator of OTP $version with USDT (log: $folder/build.log)"
(
	cd src
	ERL_TOP=$PWD LC_ALL=C
	export ERL_TOP LC_ALL
	./configure --with-dynamic-trace=systemtap --without-javac --without-wx --without-odbc --without-ssl --without-termcap
	# The programs beside the emulator need libraries that are not built. It does not matter that those fail.
	make -j"$(nproc)" emulator || [ -x bin/*/beam.smp ]
	make -j"$(nproc)" emulator FLAVOR=emu || [ -x bin/*/beam.emu ]
) >build.log 2>&1 || { tail -n 20 build.log >&2; exit 1; }

# The installed VM's helpers beside our emulators.
rm -rf erts bin
mkdir erts bin
ln -s "$root/erts-$erts/bin"/* erts/
rm -f erts/beam*
cp src/bin/*/beam.smp src/bin/*/beam.emu erts/
cat >bin/erl <<END
#!/bin/sh
ROOTDIR=$root BINDIR=$folder/erts EMU=beam PROGNAME=erl
export ROOTDIR BINDIR EMU PROGNAME
exec "\$BINDIR/erlexec" \${1+"\$@"}
END
chmod 755 bin/erl
[ "$(bin/erl -noshell -eval 'io:put_chars(atom_to_list(erlang:system_info(dynamic_trace))), halt().')" = systemtap ] ||
	{ echo "otp-usdt: the emulator that was built has no USDT probes" >&2; exit 1; }
rm -rf src apt
touch built
