# arm64.sh BUILD: the kernel engine's tests on arm64, in qemu-system-aarch64 with Debian's kernel. Called by run.sh if
# ARCH is arm64.
#
# The command, the runner and the programs of test/kernel are cross-built; a small root of Debian's packages for arm64,
# with them and the tests, is the machine's initramfs. There is no compiler and no Erlang in it; tests that need one
# fail or are skipped.
#
# TESTS         what is run there: "some" (default), "all" (the whole D suite), or paths of tests
# QEMU_MEM, QEMU_SMP, QEMU_SECONDS
set -e
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
cache=${ERLTRACE_CACHE:-$build}
for tool in qemu-system-aarch64 aarch64-linux-gnu-gcc cpio; do
	command -v $tool >/dev/null || { echo "test-kernels: skipped: $tool is not here (apt-get install qemu-system-arm gcc-aarch64-linux-gnu cpio)"; exit 0; }
done
case $CC in ccache*) ccache=ccache ;; esac
. /etc/os-release
cd "$top"
sh test/arm64/fetch.sh "$cache/arm64-dev" "$VERSION_CODENAME" erlang-dev libc6
sh test/arm64/fetch.sh "$cache/arm64-kernel" "$VERSION_CODENAME" linux-image-arm64 busybox-static dash bash coreutils sed grep mawk diffutils \
	procps util-linux findutils libc6 debianutils ncurses-base
there=$(cd "$cache/arm64-kernel/root" && pwd)
make --no-print-directory -j"$(nproc)" BUILD="$build/arm64" CC="$ccache aarch64-linux-gnu-gcc" ERL_ROOT="$(cd "$cache/arm64-dev/root" && pwd)/usr/lib/erlang" WEB=0 \
	"$build/arm64/erltrace" "$build/arm64/test/run"

root=$build/arm64/root
rm -rf "$root"
mkdir -p "$root"
(cd "$there" && find . \( -path ./boot -o -path './lib/modules' -o -path './usr/lib/modules' -o -path './usr/share/*' -o -path './var/*' \) -prune -o -print |
	cpio -pdm --quiet "$root")
mkdir -p "$root/proc" "$root/sys" "$root/dev" "$root/tmp" "$root/run" "$root/root" "$root/t/build/test" "$root/etc" "$root/var/tmp"
chmod 1777 "$root/tmp"
aarch64-linux-gnu-strip -o "$root/t/build/erltrace" "$build/arm64/erltrace"
aarch64-linux-gnu-strip -o "$root/t/build/test/run" "$build/arm64/test/run"
cp -R test "$root/t/"
cp -R scripts "$root/t/"
# The programs of test/kernel are made here, and what is a compiler there finds them.
mkdir -p "$root/t/made"
for source in test/kernel/*.c; do
	aarch64-linux-gnu-gcc -O1 -g -pthread -o "$root/t/made/$(basename "$source" .c)" "$source" 2>/dev/null || true
done
cat >"$root/usr/bin/cc" <<'END'
#!/bin/sh
# cc … -o NAME … SOURCE.c …
while [ $# -gt 0 ]; do
	case $1 in
	-o) name=$2 && shift ;;
	*.c) source=$(basename "$1" .c) ;;
	-shared) shared=1 ;;
	esac
	shift
done
[ -z "$shared" ] && [ -x "/t/made/$source" ] && exec cp "/t/made/$source" "$name"
echo "there is no compiler here, and $source.c was not made in advance" >&2
exit 1
END
chmod 755 "$root/usr/bin/cc"
ln -sf mawk "$root/usr/bin/awk"
ln -sf dash "$root/usr/bin/sh"
echo 'root:x:0:0:root:/root:/bin/sh' >"$root/etc/passwd"
case ${TESTS:-some} in
some | all) tests=${TESTS:-some} ;;
*) tests="these $TESTS" ;;
esac
cat >"$root/init" <<END
#!/bin/busybox sh
b=/bin/busybox
\$b mount -t proc proc /proc
\$b mount -t sysfs sysfs /sys
\$b mount -t devtmpfs dev /dev
\$b mkdir -p /dev/pts /dev/shm
\$b mount -t devpts devpts /dev/pts
\$b mount -t tmpfs tmpfs /dev/shm
\$b mount -t tmpfs tmpfs /tmp
\$b mount -t tracefs tracefs /sys/kernel/tracing
\$b ln -s /proc/self/fd /dev/fd
\$b ifconfig lo 127.0.0.1 up
PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
export PATH HOME
sh /t/test/kernels/inside.sh /t /t/build $tests
\$b poweroff -f
END
chmod 755 "$root/init"
(cd "$root" && find . | cpio -o -H newc --quiet | gzip -1) >"$build/arm64/initramfs.gz"
log=$build/arm64/console
kernel=$(ls "$there"/boot/vmlinuz-* | tail -1)
version=${kernel##*/vmlinuz-}
echo "== $version: $tests"
timeout "${QEMU_SECONDS:-3000}" qemu-system-aarch64 -M virt -cpu max,pauth-impdef=on -accel tcg,thread=multi -m "${QEMU_MEM:-1536}" -smp "${QEMU_SMP:-2}" -nodefaults \
	-no-user-config -display none -no-reboot -serial "file:$log" -kernel "$kernel" -initrd "$build/arm64/initramfs.gz" \
	-append "console=ttyAMA0 quiet panic=-1 mitigations=off" </dev/null || true
tr -d '\r' <"$log" | sed -n '/^=== begin/,/^=== end/p' | grep -v '^===' || true
line=$(tr -d '\r' <"$log" | sed -n 's/^=== result //p' | tail -1)
if [ -z "$line" ]; then
	echo "test-kernels: the tests did not come to an end on $version; the console is in $log" >&2
	tail -n 20 "$log" >&2
	line="0 1 0"
fi
set -- $line
echo "kernel $version: $1 passed, $2 failed, $3 skipped"
[ "$2" = 0 ]
