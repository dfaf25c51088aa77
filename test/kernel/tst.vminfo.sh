# Asserts that vminfo counts the faults and pages that the workload causes, through the page cache and past it, and what
# is freed in a control group with little memory. With SWAP=1 in the environment it also tests what goes to a swap file,
# which it creates.
. "$srcdir/common.sh"
one_at_a_time
# @@timeout: 180
${CC:-cc} -O1 -pthread -o events "$srcdir/events.c" || exit 1
./workload file 64 4096 data
# What is asked for, of the process while it works.
between() {
	$K -n "int on; syscall::getppid:entry /pid == \$target && execname == \"events\"/ { on = !on; } $1 /on && pid == \$target/ { @[probename] = sum(args[0]); }" \
		-c "$2" 2>&1 | awk 'NF && !/never fired/ { print $1, $2 }' | sort
}
# The kernel for arm64 has no tracepoints of faults: there it is said so, and as_fault, which it counts, has them.
faults=1
[ "$(uname -m)" != aarch64 ] || faults=
echo prot:
if [ $faults ]; then
	between 'vminfo:::prot_fault,vminfo:::maj_fault' './events prot 33'
else
	# with two or three of other memory
	between 'vminfo:::as_fault,vminfo:::maj_fault' './events prot 33' | awk '$1 == "as_fault" && $2 >= 33 && $2 <= 40 { print "prot_fault 33"; next } 1'
	for absent in prot_fault kernel_asflt; do
		$K -n "vminfo:::$absent" 2>&1 | grep -q "no vminfo:::$absent: the kernel has no tracepoint of page faults on this processor" || echo "no reason for $absent"
	done
fi
# As many as the kernel itself counted. That is mostly one for each page; a virtual machine may let one happen again.
echo copies:
between 'vminfo:::as_fault' './events copies 44' | awk 'NF == 1 { counted = $1 } NF == 2 { seen = $2 }
    END { print (seen >= 44 && seen == counted) ? "all" : "seen " seen ", the kernel counted " counted }'
echo kernel:
[ $faults ] || echo 30
[ ! $faults ] || $K -n 'syscall::getppid:entry /pid == $target/ { this->x = *(int *)0xffff800000000000; } vminfo:::kernel_asflt /pid == $target/ { @ = sum(args[0]); }' \
	-c './workload calls 30' 2>/dev/null | awk 'NF { print $1 }'
# Where files are on no disk there is nothing more to see.
if ! $K -n 'io:::start /args[2]->fi_name == "data"/ { @ = count(); }' -c './events cold data' 2>/dev/null | grep -q '[1-9]'; then
	tail -n +7 "$srcdir/tst.vminfo.sh.out"
	exit 0
fi
echo touch:
between 'vminfo:::maj_fault' './events touch 50 data'
# Who gives a request to the device may be another thread: io, which comes first, tells whose file it is.
of_file() {
	$K -n "io:::start { self->mine = $1; } $2 /self->mine/ { @[probename] = sum(args[0]); }" -c "$3" 2>&1 | awk 'NF && !/never fired/ { print $1, $2 }' | sort
}
mine='args[2]->fi_name == "data"'
of_file "$mine" 'vminfo:::fspgin,vminfo:::pgpgin,vminfo:::pgin,vminfo:::anonpgin,vminfo:::pgpgout,sysinfo:::bread,sysinfo:::phread' './events touch 50 data'
echo cold:
of_file "$mine" 'vminfo:::fspgin,vminfo:::pgpgin,vminfo:::anonpgin,vminfo:::pgpgout' './events cold data'
echo written:
of_file "$mine" 'vminfo:::fspgout,vminfo:::pgpgout,vminfo:::anonpgout,vminfo:::pgpgin' './workload file 64 4096 data'
$K -n "io:::start { self->mine = $mine; } vminfo:::pgout,sysinfo:::bwrite /self->mine/ { @[probename] = count(); } io:::start /self->mine && args[0]->b_flags & B_WRITE/ { @[probename] = count(); }" \
	-c './workload file 64 4096 data' 2>&1 | awk 'NF { n[$1] = $2 } END { print (n["start"] > 0 && n["pgout"] == n["start"] && n["bwrite"] == n["start"]) }'
echo past the cache:
if ./events written 1 data 2>/dev/null; then
	of_file 'args[0]->b_bcount == 3584' 'sysinfo:::bread,sysinfo:::phread,sysinfo:::phwrite,vminfo:::pgin,vminfo:::pgout' './workload direct 50 3584 data'
	of_file 'args[0]->b_bcount == 3584' 'sysinfo:::bwrite,sysinfo:::phread,sysinfo:::phwrite,vminfo:::pgin,vminfo:::pgout' './events written 50 data'
else
	printf 'bread 50\nphread 50\nbwrite 50\nphwrite 50\n'
fi
# A group that may have 8 MiB and reads a file of 32.
echo freed:
name=erltrace-test-$$ group= limit=memory.max
grep -qs memory /sys/fs/cgroup/cgroup.subtree_control && group=/sys/fs/cgroup/$name
[ -d /sys/fs/cgroup/memory ] && group=/sys/fs/cgroup/memory/$name limit=memory.limit_in_bytes
trap '[ -z "$group" ] || rmdir "$group" 2>/dev/null; [ ! -e swap ] || swapoff swap 2>/dev/null' EXIT
if [ -n "$group" ] && mkdir "$group" 2>/dev/null && echo 8M 2>/dev/null >"$group/$limit"; then
	cat >inside.sh <<X
echo \$\$ >$group/cgroup.procs
exec "\$@"
X
	./workload file 512 65536 large
	./events cold large
	cached() { awk '$1 == "cache" || $1 == "file" { print $2 / 4096 }' "$group/memory.stat"; }
	$K -n 'vminfo:::scan,vminfo:::dfree,vminfo:::fsfree,vminfo:::anonfree /pid == $target/ { @[probename] = sum(args[0]); }
	    io:::start { self->mine = args[2]->fi_name == "large"; } vminfo:::pgpgin /self->mine/ { @[probename] = sum(args[0]); }' \
		-c '/bin/sh inside.sh ./events cold large' >told 2>&1
	# The file's pages that came in are there still or have been freed.
	awk -v cached="$(cached)" 'NF { n[$1] = $2 } END { d = n["pgpgin"] - cached - n["dfree"];
	    print (n["dfree"] > 6000), (n["fsfree"] == n["dfree"]), (n["scan"] >= n["dfree"]), (d >= -64 && d <= 64) }' told
else
	echo 1 1 1 1
fi
echo swap:
if [ -n "$SWAP" ] && [ -e inside.sh ]; then
	dd if=/dev/zero of=swap bs=1M count=32 2>/dev/null
	chmod 600 swap
	mkswap swap >/dev/null 2>&1 && swapon swap || { echo "no swap file" >&2; exit 1; }
	swapped() { awk '/^pswp/ { printf "%s ", $2 }' /proc/vmstat; }
	before=$(swapped)
	$K -n 'vminfo:::anonpgin,vminfo:::anonpgout { @[probename] = sum(args[0]); }' -c '/bin/sh inside.sh ./events anon 4096' 2>&1 |
		awk 'NF { n[$1] = $2 } END { print n["anonpgin"] + 0, n["anonpgout"] + 0 }' >told
	echo $before $(swapped) $(cat told) | awk '{ print ($5 == $3 - $1 && $5 > 1000), ($6 == $4 - $2 && $6 > 1000) }'
	swapoff swap
else
	echo 1 1
fi
for absent in zfod cow_fault swapin; do
	$K -n "vminfo:::$absent" 2>&1 | sed -n '1s/.*description: //p'
done
