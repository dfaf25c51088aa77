# Asserts that paths of io are right where a process sees only parts of a file system, as in containers: another part of
# it, mounted beside the one with the file, is not mistaken for it.
. "$srcdir/common.sh"
one_at_a_time
# @@timeout: 60
on=$(stat -c %d .)
[ -e /sys/dev/block/$((on >> 8 & 0xfff)):$((on & 0xff)) ] || { echo 'this folder is on no disk' >&2; exit 67; }
command -v pivot_root >/dev/null || { echo 'pivot_root is not installed' >&2; exit 67; }
unshare --mount true 2>/dev/null || { echo 'mounts of its own are not allowed here' >&2; exit 67; }
mkdir -p box/data box/old box/proc box/other other
# it sees its own root, and one more folder of the same file system, that was mounted later
cat >in-box <<'SH'
mount --make-rprivate /
for d in usr bin lib lib64 sbin; do
	[ -L /$d ] && cp -P /$d box/$d
	[ -d /$d ] && [ ! -L /$d ] && mkdir -p box/$d
done
mount --bind box box && cd box || exit
for d in usr bin lib lib64 sbin; do
	[ -d $d ] && [ ! -L $d ] && mount --rbind /$d $d
done
mount --rbind /proc proc
mount --bind ../other other
pivot_root . old && umount -l /old && exec chroot . sh -c '
	head -c 65536 /bin/sh >/data/written-in-the-box && sync /data/written-in-the-box
	head -c 65536 /bin/sh >/other/written-in-the-box && sync /other/written-in-the-box'
SH
$K -q -n 'io:::start /args[2]->fi_name == "written-in-the-box" && args[0]->b_flags & B_WRITE/ { @[args[2]->fi_pathname, args[2]->fi_mount] = sum(args[0]->b_bcount); }' \
	-c 'unshare --mount sh in-box' 2>&1 | awk 'NF { $1 = $1; print }' | sort
