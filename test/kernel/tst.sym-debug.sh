# Asserts that a stripped program's own functions have names and probes if its debug file is installed, which is found
# by the build id, and that a debug file of another build is not used.
. "$srcdir/common.sh"
[ -z "$TINY" ] || { echo "tiny tables remember only four processes that have ended" >&2; exit 67; }
command -v objcopy >/dev/null || { echo 'no objcopy here' >&2; exit 67; }
cat >prog.c <<'END'
static __attribute__((noinline, noclone)) int hidden(int n) { __asm__ volatile(""); return n + VALUE; }
int main(void) { int sum = 0; for (int i = 0; i < 7; i++) sum += hidden(i); return sum & 0; }
END
for v in 1 2; do
	${CC:-cc} -O1 -g -fno-omit-frame-pointer -Wl,--build-id -DVALUE=$v -o prog$v prog.c || exit 1
	objcopy --only-keep-debug prog$v prog$v.debug && strip -s prog$v || exit 1
done
id=$(readelf -n prog1 | sed -n 's/.*Build ID: //p')
rest=${id#??}
cat >inside <<END
mount -t tmpfs none /usr/lib/debug || exit 9
script='pid\$target:a.out:hidden:entry { @ = count(); @u[ustack(1)] = count(); @s[usym(uregs[R_PC])] = count(); } END { printa("%@d\n", @); printa("%k%@d\n", @u); printa("%A %@d\n", @s); }'
echo without
$K -n "\$script" -c ./prog1 2>&1 | grep -c 'does not match any'
mkdir -p /usr/lib/debug/.build-id/${id%$rest}
cp prog2.debug /usr/lib/debug/.build-id/${id%$rest}/$rest.debug
echo other
$K -n "\$script" -c ./prog1 2>&1 | grep -c 'does not match any'
cp prog1.debug /usr/lib/debug/.build-id/${id%$rest}/$rest.debug
echo own
$K -n "\$script" -c ./prog1 2>/dev/null
END
mkdir -p /usr/lib/debug 2>/dev/null
unshare -m true || { echo 'no mounts here' >&2; exit 67; }
unshare -m sh inside
[ $? != 9 ] || { echo 'no mounts here' >&2; exit 67; }
