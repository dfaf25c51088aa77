# Asserts that a stripped program's own functions have names and probes by the symbols that it keeps packed
# (.gnu_debugdata), besides those that it exports; and that packed bytes that are damaged or unpack without end do no
# harm.
. "$srcdir/common.sh"
[ -z "$TINY" ] || { echo "tiny tables remember only four processes that have ended" >&2; exit 67; }
command -v objcopy >/dev/null || { echo 'no objcopy here' >&2; exit 67; }
command -v xz >/dev/null || { echo 'no xz here' >&2; exit 67; }
echo '#include <lzma.h>' | ${CC:-cc} -E -x c - >/dev/null 2>&1 || { echo 'no liblzma-dev here: built without it' >&2; exit 67; }
cat >prog.c <<'END'
static __attribute__((noinline, noclone)) int hidden(int n) { __asm__ volatile(""); return n + 1; }
__attribute__((noinline, noclone)) int shown(int n) { __asm__ volatile(""); return n + 1; }
int main(void) { int sum = 0; for (int i = 0; i < 7; i++) sum += hidden(i) + shown(i); return sum & 0; }
END
${CC:-cc} -O1 -fno-omit-frame-pointer -Wl,--build-id=none -Wl,--export-dynamic -o prog prog.c || exit 1
# As Fedora makes them: what is exported is not in it again.
objcopy --only-keep-debug prog mini && objcopy -S --keep-symbol=hidden --keep-symbol=main mini mini2 && xz -c mini2 >mini.xz || exit 1
strip -s prog
script='pid$target:a.out:hidden:entry,pid$target:a.out:shown:entry { @[probefunc] = count(); @u[ustack(1)] = count(); } END { printa("%s %@d\n", @); printa("%k%@d\n", @u); }'
echo without
$K -n "$script" -c ./prog 2>&1 | grep -c 'does not match any'
objcopy --add-section .gnu_debugdata=mini.xz prog with || exit 1
echo with
$K -n "$script" -c ./with 2>/dev/null | sed 's/with`//' | sort
# 80 MB of zeros in 12 KB; half of it; something else.
head -c 80000000 /dev/zero | xz -0 -c >bomb.xz
head -c 100 mini.xz >half.xz
head -c 5000 prog >other.xz
for bad in bomb half other; do
	objcopy --add-section .gnu_debugdata=$bad.xz prog $bad || exit 1
	echo $bad
	$K -n 'pid$target:a.out:hidden:entry { }' -c ./$bad 2>&1 | grep -c 'does not match any\|too large'
done
