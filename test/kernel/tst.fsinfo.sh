# Asserts that fsinfo fires once for each call on an open file, with the file, its path and file system, and the bytes
# that it moved; and that it does not fire for calls that fail.
. "$srcdir/common.sh"
${CC:-cc} -O1 -pthread -o events "$srcdir/events.c" || exit 1
mkdir known.d
here=$(realpath .) fs=$(awk -v at="$(stat -c %m .)" '$2 == at { fs = $3 } END { print fs }' /proc/mounts)
$K -n 'int on; syscall::getppid:entry /pid == $target/ { on = !on; }
    fsinfo::: /on && pid == $target && args[0]->fi_name == "known" && args[0]->fi_dirname == "'$here'" && args[0]->fi_mount != ""/
    { @[probename, args[0]->fi_fs == "'$fs'"] = count(); @bytes[probename] = sum(args[1] > 0 && (probename == "read" || probename == "write") ? args[1] : 0); }
    fsinfo:::readdir /on && pid == $target && args[0]->fi_pathname == "'$here'/known.d"/ { @["folder", args[1] > 0] = count(); }
    END { printa("%s %d %@d\n", @); printa("bytes of %s %@d\n", @bytes); }' -c './events files 10' 2>&1 | awk 'NF && $NF != 0' | sort
$K -n 'fsinfo:::lookup' 2>&1 | sed -n '1s/.*description: //p'
