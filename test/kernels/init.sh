#!/bin/busybox sh
# The first process of the machine: this one's files below a layer of memory, then the command that fw_cfg names.
b=/bin/busybox
$b mount -t proc proc /proc
$b mount -t sysfs sysfs /sys
$b mount -t devtmpfs dev /dev
# twice: which of them needs which other changes from kernel to kernel
for m in /mod/*.ko /mod/*.ko; do
	$b insmod "$m" 2>/dev/null
done
$b mount -t 9p -o ro,trans=virtio,version=9p2000.L,cache=loose,msize=262144 host /lower || { echo "no 9p"; $b poweroff -f; }
$b mount -t tmpfs tmpfs /rw
$b mkdir /rw/upper /rw/work
$b mount -t overlay -o lowerdir=/lower,upperdir=/rw/upper,workdir=/rw/work overlay /root || { echo "no overlay"; $b poweroff -f; }
$b mount --bind /proc /root/proc
$b mount --bind /sys /root/sys
$b mount --bind /dev /root/dev
$b mkdir -p /root/dev/pts /root/dev/shm
$b ln -s /proc/self/fd /dev/fd
for n in 0:stdin 1:stdout 2:stderr; do
	$b ln -s /proc/self/fd/${n%:*} /dev/${n#*:}
done
$b mount -t devpts devpts /root/dev/pts
$b mount -t tmpfs tmpfs /root/dev/shm
$b mount -t tracefs tracefs /root/sys/kernel/tracing 2>/dev/null
$b ifconfig lo 127.0.0.1 up
command=$($b cat /sys/firmware/qemu_fw_cfg/by_name/opt/erltrace/command/raw)
echo 7 >/proc/sys/kernel/printk
echo 1 >/proc/sys/kernel/printk
$b chroot /root /bin/sh -c "PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root; export PATH HOME; $command"
$b sync
$b poweroff -f
