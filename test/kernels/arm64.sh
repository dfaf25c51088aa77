# arm64.sh BUILD [RESULTS]: the kernel engine's tests on arm64, in qemu-system-aarch64 with Debian's kernel. Called by
# run.sh if ARCH is arm64.
#
# The command, the runner and the programs of test/kernel are cross-built; a small root of Debian's packages for arm64,
# with them, the tests, a compiler and Erlang, is the machine's initramfs.
#
# TESTS         what is run there: "some" (default), "all" (the whole D suite too), "language" (only that), paths of tests,
#               or "few": what `make test` has of it, some minutes, without a compiler
# RELEASE       of Debian, whose kernel and Erlang are taken; default: this machine's
# KERNELS       the package of another kernel: linux-image-arm64-16k has pages of 16 KB (from Debian 13 on)
# QEMU_MEM, QEMU_SMP, QEMU_SECONDS
set -e
build=$(cd "$1" && pwd)
results=${2:-/dev/null}
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
cache=${ERLTRACE_CACHE:-$build}
skip() {
	echo "SKIP the kernel engine on arm64: $*"
	echo "0 0 1 kernel engine on arm64" >>"$results"
	exit 0
}
for tool in qemu-system-aarch64 aarch64-linux-gnu-gcc cpio; do
	command -v $tool >/dev/null || skip "$tool is not here (apt-get install qemu-system-arm gcc-aarch64-linux-gnu cpio)"
done
case $CC in ccache*) ccache=ccache ;; esac
. /etc/os-release
cd "$top"
own=${VERSION_CODENAME:-testing} of=
[ "${RELEASE:=$own}" = "$own" ] || of=-$RELEASE
fetch() { # fetch FOLDER RELEASE PACKAGE…
	fetched=$1
	shift
	why=$(sh test/arm64/fetch.sh "$cache/$fetched" "$@" 2>&1) || skip "Debian for arm64 could not be fetched: $why"
}
fetch arm64-dev "$own" erlang-dev libc6
machine=arm64-machine$of${KERNELS:+-$KERNELS}
fetch "$machine" "$RELEASE" "${KERNELS:-linux-image-arm64}" busybox-static dash bash coreutils sed grep mawk diffutils procps util-linux mount findutils libc6 debianutils ncurses-base
# Erlang, and a compiler for what is not made here
tools=arm64-tools$of
case $TESTS in
few) tools=arm64-erlang$of && fetch "$tools" "$RELEASE" erlang-base ;;
*) fetch "$tools" "$RELEASE" gcc libc6-dev binutils hostname iproute2 erlang-base erlang-runtime-tools ;;
esac
there=$(cd "$cache/$machine/root" && pwd)
make --no-print-directory -j"$(nproc)" BUILD="$build/arm64" CC="$ccache aarch64-linux-gnu-gcc" ERL_ROOT="$(cd "$cache/arm64-dev/root" && pwd)/usr/lib/erlang" WEB=0 \
	"$build/arm64/erltrace" "$build/arm64/test/run" "$build/arm64/test/hostile"

root=$build/arm64/root
rm -rf "$root"
mkdir -p "$root"
# what is not in the small root; documentation, and what only other languages need, is left out
(cd "$cache/$tools/root" && find . \( -path './usr/share/*' -o -path './var/*' -o -name 'lto*' -o -name '*-lto-dump*' -o -name '*gold' -o -name '*dwp' -o -name 'libgprofng*' -o -name 'libasan*' -o -name 'libtsan*' -o \
	-name 'liblsan*' -o -name 'libubsan*' -o -name 'libhwasan*' -o -name '*.so.debug' -o -name 'perl*' -o -name 'libperl*' \) -prune -o -print | cpio -pdmu --quiet "$root")
(cd "$there" && find . \( -path ./boot -o -path './lib/modules' -o -path './usr/lib/modules' -o -path './usr/share/*' -o -path './var/*' \) -prune -o -print |
	cpio -pdmu --quiet "$root")
mkdir -p "$root/proc" "$root/sys" "$root/dev" "$root/tmp" "$root/run" "$root/root" "$root/t/build/test" "$root/etc" "$root/var/tmp"
chmod 1777 "$root/tmp"
aarch64-linux-gnu-strip -o "$root/t/build/erltrace" "$build/arm64/erltrace"
aarch64-linux-gnu-strip -o "$root/t/build/test/run" "$build/arm64/test/run"
aarch64-linux-gnu-strip -o "$root/t/build/test/hostile" "$build/arm64/test/hostile"
# The part for Erlang nodes, and the modules of the tests, which are the same on every processor.
if [ "$TESTS" != few ]; then
	mkdir -p "$root/t/build/otp" "$root/t/build/test/erlang"
	cp -R "$build/arm64/otp/erltrace" "$root/t/build/otp/"
	cp "$build"/test/erlang/*.beam "$root/t/build/test/erlang/" 2>/dev/null || true
	# header files of Erlang
	mkdir -p "$root/usr/lib/erlang"
	cp -RL "$cache/arm64-dev/root/usr/lib/erlang/usr" "$root/usr/lib/erlang/"
fi
# A disk, and what it takes to use it and FUSE, in the order of what needs what. Those that a kernel has built in are not there.
if [ "$TESTS" != few ]; then
	mkdir -p "$root/mod"
	n=100
	for m in virtio virtio_ring virtio_pci_legacy_dev virtio_pci_modern_dev virtio_pci virtio_blk crc16 crc32c_generic libcrc32c mbcache jbd2 ext4 fuse; do
		f=$(find "$there" -name "$m.ko*" -path '*/lib/modules/*' | tail -1)
		case $f in
		*.xz) xz -dc "$f" >"$root/mod/$n-$m.ko" ;;
		*.ko) cp "$f" "$root/mod/$n-$m.ko" ;;
		esac
		n=$((n + 1))
	done
	rm -f "$build/arm64/disk"
	truncate -s 512M "$build/arm64/disk"
	disk="-drive file=$build/arm64/disk,format=raw,if=virtio,cache=unsafe"
fi
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
all=$*
while [ $# -gt 0 ]; do
	case $1 in
	-o) name=$2 && shift ;;
	*.c) source=$(basename "$1" .c) ;;
	-shared) shared=1 ;;
	esac
	shift
done
[ -z "$shared" ] && [ -x "/t/made/$source" ] && exec cp "/t/made/$source" "$name"
command -v gcc >/dev/null && exec gcc $all
echo "there is no compiler here, and $source.c was not made in advance" >&2
exit 1
END
chmod 755 "$root/usr/bin/cc"
ln -sf mawk "$root/usr/bin/awk"
ln -sf dash "$root/usr/bin/sh"
echo 'root:x:0:0:root:/root:/bin/sh' >"$root/etc/passwd"
echo '127.0.0.1 localhost arm64' >"$root/etc/hosts"
case ${TESTS:-some} in
some | all | few | language) tests=${TESTS:-some} ;;
*) tests="these $TESTS" ;;
esac
cat >"$root/init" <<END
#!/bin/busybox sh
b=/bin/busybox
# The first root of a machine can't be left by pivot_root: all is below a mount of it.
if [ ! -e /below ]; then
	\$b mkdir /below
	\$b mount --bind / /below
	exec \$b chroot /below /init
fi
\$b mount -t proc proc /proc
\$b mount -t sysfs sysfs /sys
\$b mount -t devtmpfs dev /dev
\$b mkdir -p /dev/pts /dev/shm
\$b mount -t devpts devpts /dev/pts
\$b mount -t tmpfs tmpfs /dev/shm
\$b mount -t tmpfs tmpfs /tmp
\$b mount -t tracefs tracefs /sys/kernel/tracing
\$b ln -s /proc/self/fd /dev/fd
for n in 0:stdin 1:stdout 2:stderr; do \$b ln -s /proc/self/fd/\${n%:*} /dev/\${n#*:}; done
\$b ifconfig lo 127.0.0.1 up
\$b hostname arm64
for m in /mod/*.ko /mod/*.ko; do \$b insmod \$m 2>/dev/null; done
[ ! -b /dev/vda ] || { \$b mke2fs /dev/vda >/dev/null && \$b mkdir /disk && \$b mount -t ext4 /dev/vda /disk && \$b chmod 1777 /disk && export TMPDIR=/disk; }
PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
export PATH HOME
sh /t/test/kernels/inside.sh /t /t/build $tests
\$b poweroff -f
END
chmod 755 "$root/init"
(cd "$root" && find . | cpio -o -H newc --quiet | gzip -1) >"$build/arm64/initramfs.gz"
log=$build/arm64/console
# newer packages have it beside its modules
kernel=$(ls "$there"/boot/vmlinuz-* "$there"/usr/lib/modules/*/vmlinuz 2>/dev/null | tail -1)
case $kernel in
*/vmlinuz) version=$(basename "${kernel%/vmlinuz}") ;;
*) version=${kernel##*/vmlinuz-} ;;
esac
echo "== $version: $tests"
timeout "${QEMU_SECONDS:-3000}" qemu-system-aarch64 -M virt -cpu max,pauth-impdef=on -accel tcg,thread=multi -m "${QEMU_MEM:-1536}" -smp "${QEMU_SMP:-2}" -nodefaults \
	-no-user-config -display none -no-reboot -serial "file:$log" -kernel "$kernel" -initrd "$build/arm64/initramfs.gz" \
	$disk -append "console=ttyAMA0 quiet panic=-1 mitigations=off" </dev/null || true
tr -d '\r' <"$log" | sed -n '/^=== begin/,/^=== end/p' | grep -v '^===' || true
line=$(tr -d '\r' <"$log" | sed -n 's/^=== result //p' | tail -1)
if [ -z "$line" ]; then
	echo "test-kernels: the tests did not come to an end on $version; the console is in $log" >&2
	tail -n 20 "$log" >&2
	line="0 1 0"
fi
set -- $line
echo "kernel $version: $1 passed, $2 failed, $3 skipped"
echo "$1 $2 $3 kernel engine on arm64" >>"$results"
[ "$2" = 0 ]
