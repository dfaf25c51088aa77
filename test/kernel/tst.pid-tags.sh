# Asserts the error tags of descriptions of the pid provider that name something that does not exist.
. "$srcdir/user.sh"
tag() { echo "$1" "$($ERLTRACE -xerrtags -qn "$1 {}" ${2:+-c "$2"} 2>&1 | grep -o '\[D_[A-Z_]*\]')"; }
tag pid0:::entry
tag pid99999999::main:entry
tag 'pid$target:a.out:nosuch:entry' './user calls 1'
tag 'pid$target:libc.so.6:nosuch:entry' './user calls 1'
tag 'pid$target:libc:nosuch:entry' './user calls 1'
tag 'pid$target::nosuch:entry' './user calls 1'
tag 'pid$target:nosuchlib.so.1::entry' './user calls 1'
tag 'pid$target:a.out:main:beginning' './user calls 1'
tag 'pid$target:a.out:main:fffff' './user calls 1'
tag 'pid$target::-:' './user calls 1'
tag 'pid$target::-:10*' './user calls 1'
tag 'pid$target::-:800' './user calls 1'
tag 'pid$target:libc:-:800' './user calls 1'
# The name is wrong in no way: the offset is not where an instruction begins.
for at in 1 2 3 4 5 6 7 8; do
	$ERLTRACE -xerrtags -qn "pid\$target:a.out:main:$at {}" -c './user calls 1' 2>&1
done | grep -o '\[D_[A-Z_]*\]' | sort -u
# With -Z what is not there may come later.
$ERLTRACE -Zqn 'pid$target:a.out:nosuch:entry {}' -c './user calls 1' && echo later
