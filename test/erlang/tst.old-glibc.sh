# The command asks for nothing that glibc 2.31 does not have. With Debian 11's C library, and nothing else, it runs a
# script, traces a node and counts exactly, and runs a script in the kernel.
[ -z "$SAN" ] || { echo "sanitizers need the C library of this machine" >&2; exit 67; }
. "$srcdir/lib.sh"
[ -d "$BUILD/old-glibc" ] || { echo "built for this machine only (PORTABLE=0, or not with glibc)" >&2; exit 67; }
objdump -T "$ERLTRACE" | grep -o 'GLIBC_[0-9A-Z_.]*' | sort -u >versions
[ "$(wc -l <versions)" -gt 5 ] || echo 'no versions were found'
# (GLIBC_ABI_… would be a demand, too.)
sed 's/^GLIBC_//' versions | awk -F. '$1 != 2 || $2 > 31 { print "too new: " $0 }'
readelf -d "$ERLTRACE" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | sort

[ "$(id -u)" = 0 ] || { echo "only root may change its root" >&2; exit 67; }
[ "$(uname -m)" = x86_64 ] || { echo "fetched for x86-64 only" >&2; exit 67; }
old=${ERLTRACE_CACHE:-$BUILD}/debian11
why=$(ARCH=amd64 sh "$srcdir/../arm64/fetch.sh" "$old" bullseye libc6 2>&1) || { echo "Debian 11 could not be fetched: $why" >&2; exit 67; }
mkdir root && cp -a "$old/root/." root/ && cp "$ERLTRACE" root/erltrace && mkdir -p root/proc root/sys || exit
ls root/usr/lib/x86_64-linux-gnu/libc-*.so root/lib/x86_64-linux-gnu/libc-*.so 2>/dev/null | sed 's/.*libc-//' | sort -u
printf '#!/bin/sh\nexec unshare -m sh -c '\''mount --bind /proc "$0/proc" && mount --rbind /sys "$0/sys" && exec chroot "$0" /erltrace "$@"'\'' "%s" "$@"\n' "$PWD/root" >there
chmod +x there
# its hosts: the node has this machine's name
mkdir -p root/etc && cp /etc/hosts /etc/hostname root/etc/ 2>/dev/null
ERLTRACE=$PWD/there
"$ERLTRACE" -qn 'BEGIN { printf("runs there\n"); exit(0); } END { printf("and ends\n"); }'
node_start
trace_start out -n 'erlang*:lists:droplast/1:entry { @calls = count(); }'
node_eval '[lists:droplast([x]) || _ <- lists:seq(1, 12345)], ok.'
trace_stop && cat out.txt
clean_node
"$ERLTRACE" -q -c '/erltrace -V' -n 'syscall::execve:entry, syscall::execve:return /pid == $target/ { @[probename] = count(); }' 2>err |
	sed '/^$/d; s/  */ /g; s/ D [0-9.]*$/ D N/' || cat err
