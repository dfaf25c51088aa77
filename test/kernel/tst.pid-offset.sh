# Asserts that a probe can be on any instruction of a function, by its offset and by its address, and on no other byte.
. "$srcdir/user.sh"
command -v objdump >/dev/null || { echo 'no objdump here' >&2; exit 67; }
set -- $(objdump -d --no-show-raw-insn user | awk '/<work>:/ {on = 1; start = $1} on && /^ / {print $1} /^$/ {on = 0}' | tr -d ':')
start=$1
second=$(printf '%x' $((0x$2 - 0x$start)))
before=$(printf '%x' $((0x$2 - 0x$start - 1)))
$K -n "pid\$target:a.out:work:$second { @[probename] = count(); } END { printa(\"%@d\n\", @); }" -c './user calls 100' 2>/dev/null
[ "$before" = 0 ] || { $K -n "pid\$target:a.out:work:$before {}" -c './user calls 1' 2>&1 | grep -c 'no instruction of a.out`work begins at offset'; }
$K -n 'pid$target:a.out:work:ffff {}' -c './user calls 1' 2>&1 | grep -c 'bytes long: there is no instruction at offset ffff'
# By address, of a process that waits.
mkfifo in
./user wait 50 <in >ready &
pid=$!
exec 3>in
until grep -q ready ready; do sleep 0.05; done
base=$(awk '/r-xp/ && /\/user$/ {split($1, a, "-"); print a[1], $3; exit}' /proc/$pid/maps)
set -- $base
addr=$(printf '%x' $((0x$1 - 0x$2 + 0x$start)))
$ERLTRACE -qn "BEGIN { system(\"echo >&3\"); } pid$pid:a.out:-:$addr { @ = count(); } END { printa(\"%@d\n\", @); }" -w -p $pid 2>/dev/null
