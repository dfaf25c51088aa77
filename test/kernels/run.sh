# run.sh BUILD RESULTS: the kernel engine's tests on other kernels than this machine's, in qemu-system.
#
# A kernel's Debian package is downloaded and unpacked under BUILD/kernels, never installed. A small initramfs holds
# busybox and the modules that it takes to see this machine's files (9p, read only, with a layer of memory above them),
# so that the command, its libraries, the tests and what they call are the same as here.
#
# KERNELS       packages; default: the one that linux-image-amd64 stands for
# SUITE         where that is looked for, when not among this machine's sources: bookworm-backports has newer kernels
# TESTS         what is run there: "some" (default), "all", or paths of tests
# ARCH          arm64: see arm64.sh
# QEMU_MEM, QEMU_SMP, QEMU_SECONDS
set -e
here=$(cd "$(dirname "$0")" && pwd)
[ "$ARCH" != arm64 ] || exec sh "$here/arm64.sh" "$1" "$2"
build=$(cd "$1" && pwd)
results=$2
top=$(cd "$here/../.." && pwd)
cache=$build/kernels
mkdir -p "$cache"

skip() {
	echo "test-kernels: skipped: $*"
	[ -z "$results" ] || echo "0 0 1 other kernels: $*" >>"$results"
	exit 0
}
[ "$(uname -m)" = x86_64 ] || skip "made for x86-64"
for tool in qemu-system-x86_64 busybox cpio apt-get dpkg-deb; do
	command -v $tool >/dev/null || skip "$tool is not here (apt-get install qemu-system-x86 seabios busybox-static cpio)"
done
# Software emulation unless the processor can do better.
accel="-accel tcg,thread=multi -cpu max"
grep -qE '^flags.* (vmx|svm)' /proc/cpuinfo && [ -w /dev/kvm ] && accel="-accel kvm -cpu host"

apt_options=
if [ -n "$SUITE" ]; then
	# Lists of our own, from where this machine's packages are: its own are left as they are.
	from=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -1)
	[ -n "$from" ] || skip "apt-get does not know where packages are"
	mkdir -p "$cache/apt/$SUITE/parts" "$cache/apt/$SUITE/lists/partial"
	echo "deb $from $SUITE main" >"$cache/apt/$SUITE/parts/suite.list"
	apt_options="-o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=$cache/apt/$SUITE/parts -o Dir::State::lists=$cache/apt/$SUITE/lists
		-o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root"
	apt-get -q $apt_options update >/dev/null || skip "apt-get update of $SUITE failed"
fi
[ -n "$KERNELS" ] || KERNELS=$(apt-cache $apt_options depends linux-image-amd64 | sed -n 's/^ *Depends: \(linux-image-[0-9].*\)$/\1/p' | head -1)
[ -n "$KERNELS" ] || skip "apt-cache does not know linux-image-amd64"

fetch() { # fetch PACKAGE: in $cache/PACKAGE
	[ -e "$cache/$1/unpacked" ] && return
	rm -rf "${cache:?}/$1"
	mkdir -p "$cache/$1"
	(cd "$cache/$1" && apt-get $apt_options download -q "$1" 2>/dev/null && dpkg-deb -x ./*.deb . && rm -f ./*.deb && touch unpacked)
}

initramfs() { # initramfs PACKAGE
	root=$cache/$1/initramfs
	rm -rf "$root"
	mkdir -p "$root/bin" "$root/mod" "$root/proc" "$root/sys" "$root/dev" "$root/lower" "$root/rw" "$root/root"
	cp "$(command -v busybox)" "$root/bin/busybox"
	cp "$here/init.sh" "$root/init"
	chmod 755 "$root/init"
	# In the order of what needs what. Those that a kernel has built in are not there.
	n=100
	for m in virtio virtio_ring virtio_pci_legacy_dev virtio_pci_modern_dev virtio_pci netfs fscache 9pnet 9pnet_virtio 9p overlay \
		qemu_fw_cfg virtio_blk crc16 crc32c_generic mbcache jbd2 ext4; do
		f=$(find "$cache/$1" -name "$m.ko*" -path '*/lib/modules/*' | head -1)
		case $f in
		*.xz) xz -dc "$f" >"$root/mod/$n-$m.ko" ;;
		*.ko) cp "$f" "$root/mod/$n-$m.ko" ;;
		esac
		n=$((n + 1))
	done
	(cd "$root" && find . | cpio -o -H newc --quiet | gzip -1) >"$cache/$1/initramfs.gz"
}

# What the machine inside runs, from the files of this one.
case ${TESTS:-some} in
some | all | language) tests=${TESTS:-some} ;;
*) tests="these $TESTS" ;;
esac

status=0
for package in $KERNELS; do
	fetch "$package" || { echo "test-kernels: $package cannot be downloaded" >&2; status=1; continue; }
	initramfs "$package"
	version=${package#linux-image-}
	log=$cache/$package/console
	truncate -s 64M "$cache/$package/disk"
	echo "== $version: $tests"
	timeout "${QEMU_SECONDS:-3000}" qemu-system-x86_64 $accel -m "${QEMU_MEM:-1536}" -smp "${QEMU_SMP:-2}" -nodefaults -no-user-config \
		-display none -no-reboot -serial "file:$log" \
		-kernel "$cache/$package/boot/vmlinuz-$version" -initrd "$cache/$package/initramfs.gz" \
		-append "console=ttyS0 quiet panic=-1 mitigations=off" \
		-drive "file=$cache/$package/disk,format=raw,if=virtio,cache=unsafe" \
		-virtfs "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap" \
		-fw_cfg "name=opt/erltrace/command,string=sh $here/inside.sh $top $build $tests" </dev/null || true
	tr -d '\r' <"$log" | sed -n '/^=== begin/,/^=== end/p' | grep -v '^===' || true
	line=$(tr -d '\r' <"$log" | sed -n 's/^=== result //p' | tail -1)
	if [ -z "$line" ]; then
		echo "test-kernels: the tests did not come to an end on $version; the console is in $log" >&2
		tail -n 20 "$log" >&2
		line="0 1 0"
	fi
	set -- $line
	[ -z "$results" ] || echo "$1 $2 $3 kernel $version" >>"$results"
	echo "kernel $version: $1 passed, $2 failed, $3 skipped"
	[ "$2" = 0 ] || status=1
done
exit $status
