# -p, used outside, traces a node that has nothing of this machine but its kernel, as a hardened container has it: a
# minimal root of Debian 13 with its OTP 27, mounted read-only, /tmp and /dev/shm noexec as docker has them, another user,
# no capabilities, a seccomp filter, little memory, and its own network, mounts, host name and processes.
# @@timeout: 120
. "$srcdir/lib.sh"
. "$srcdir/container.sh"
[ "$(uname -m)" = x86_64 ] || { echo "fetched for x86-64 only" >&2; exit 67; }
debian=${ERLTRACE_CACHE:-$BUILD}/debian13
why=$(ARCH=amd64 sh "$srcdir/../arm64/fetch.sh" "$debian" trixie erlang-base 2>&1) || { echo "Debian 13 could not be fetched: $why" >&2; exit 67; }
debian=$(cd "$debian/root" && pwd)
${CC:-cc} -O1 -static -o confined "$srcdir/confined.c" || exit
there=$(mktemp -d) || exit
group=/sys/fs/cgroup/erltrace-test-$$ limit=memory.max
[ -f /sys/fs/cgroup/cgroup.controllers ] || group=/sys/fs/cgroup/memory/erltrace-test-$$ limit=memory.limit_in_bytes
mkdir "$group" 2>/dev/null && echo 400M 2>/dev/null >"$group/$limit" && limited=1
trap 'node_end; rmdir "$group" 2>/dev/null; rm -rf --one-file-system "$there"' EXIT
chmod 755 "$there"
mkdir "$there/root"
erts=$(cd "$debian" && echo usr/lib/erlang/erts-*)
# What a container's runtime does: the image is read-only, and a few folders are of memory.
cat >"$there/image" <<END
ip link set lo up; hostname inner
mount -t tmpfs tmpfs $there/root
cd $there/root
mkdir usr etc proc dev tmp app
mount --rbind $debian/usr usr; mount -o remount,bind,ro usr
ln -s usr/lib usr/lib64 usr/bin .
mount -t proc proc proc
mount -t tmpfs tmpfs dev; mkdir dev/shm
for d in null zero urandom; do : >dev/\$d; mount --bind /dev/\$d dev/\$d; done
mount -t tmpfs -o noexec,mode=1777 tmpfs tmp
mount -t tmpfs -o noexec,nosuid,nodev,mode=1777 tmpfs dev/shm
echo 127.0.0.1 localhost inner >etc/hosts
echo "app:x:65534:65534::/app:/bin/sh" >etc/passwd
printf of_image >app/.erlang.cookie; chmod 400 app/.erlang.cookie; chown -R 65534:65534 app
cp $PWD/confined .
mount -o remount,ro $there/root
export HOME=/app ROOTDIR=/usr/lib/erlang BINDIR=/$erts/bin EMU=beam PROGNAME=erl
END
[ -z "$limited" ] || PUT="echo 0 >$group/cgroup.procs;"
inside '-n -m -u -p --mount-proc' "$PUT . $there/image
	chroot . \$BINDIR/epmd -daemon
	AS_USER=65534 exec chroot . /confined \$BINDIR/erlexec \"\$@\"" \
	-sname box -eval '"27" = erlang:system_info(otp_release)'
[ -z "$limited" ] || grep -q "erltrace-test-$$" "/proc/$INNER/cgroup" || echo 'not in its control group'
awk '/^(Seccomp|CapBnd|Uid|NoNewPrivs):/ { print $1, $2 }' "/proc/$INNER/status"
into
# the node lives, and nothing is left: in the folders that it may write to, and of the folder that it was lent
kill -0 "$INNER" && find "/proc/$INNER/root/tmp" "/proc/$INNER/root/dev/shm" "/proc/$INNER/root/app" -type f | sed 's/.*root//' | sort
ls -l "/proc/$INNER/fd" | sed -n 's/.*-> \/$/a folder is open/p'
