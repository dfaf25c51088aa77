# otp-fetch.sh FOLDER RELEASE: prints the path of an `erl` of that OTP release (27, 29), unpacked below FOLDER from the
# packages of the Debian that has it; once, 25 MB to fetch. Nothing of this machine changes. Prints nothing if the
# installed OTP is that one or newer, or if it cannot be had: the reason is then on standard error.
#
# Its programs get the C library that they were made for: they would not start with an older one.
release=$2
[ "$(uname -m)" = x86_64 ] || { echo "OTP $release is fetched for x86-64 only" >&2; exit 0; }
case $release in
27) debian=trixie ;;
29) debian=testing ;;
*) echo "no Debian is known to have OTP $release" >&2; exit 2 ;;
esac
for installed in /usr/lib/erlang/releases/[0-9]*; do
	[ "${installed##*/}" -lt "$release" ] 2>/dev/null || [ ! -d "$installed" ] || exit 0
done
command -v patchelf >/dev/null || { echo 'patchelf is not installed' >&2; exit 0; }
mkdir -p "$1" && folder=$(cd "$1" && pwd) || exit
why=$(ARCH=amd64 sh "$(dirname "$0")/arm64/fetch.sh" "$folder" "$debian" erlang-base erlang-crypto erlang-runtime-tools erlang-tools 2>&1) || {
	echo "OTP $release could not be fetched: $why" >&2
	exit 0
}
root=$folder/root
if [ ! -e "$folder/erl" ]; then
	bin=$(echo "$root"/usr/lib/erlang/erts-*/bin)
	for file in "$bin"/*; do
		patchelf --print-interpreter "$file" >/dev/null 2>&1 || continue # not a program
		patchelf --force-rpath --set-interpreter "$root/lib64/ld-linux-x86-64.so.2" --set-rpath "$root/usr/lib/x86_64-linux-gnu" "$file" || exit
	done
	cat >"$folder/erl.new" <<-END
		#!/bin/sh
		export ROOTDIR='$root/usr/lib/erlang' BINDIR='$bin' EMU=beam PROGNAME=erl
		exec '$bin/erlexec' "\$@"
	END
	chmod +x "$folder/erl.new" && mv "$folder/erl.new" "$folder/erl" || exit
fi
said=$("$folder/erl" -noshell -eval 'io:put_chars(erlang:system_info(otp_release)), halt().' </dev/null 2>&1)
[ "$said" = "$release" ] || { echo "Debian $debian has another OTP than $release: $said" >&2; exit 0; }
echo "$folder/erl"
