# Asserts the messages about a process, function, target or place that does not exist.
. "$srcdir/user.sh"
say() { $ERLTRACE -qn "$@" 2>&1 | sed -n '1s/.*{}: //p'; }
say 'pid$target:a.out:nosuch:entry {}' -c './user calls 1' | sed 's/pid[0-9]*/pidN/'
say 'pid$target:a.out:work:entry {}'
say 'pid*::work:entry {}'
say 'pid99999999::work:entry {}'
say 'pid2:::entry {}' | sed 's/: it has.*//; s/: Perm.*//'
say 'pid$target::-:1 {}' -c './user calls 1' | sed 's/process [0-9]*/process N/'
say 'pid$target::-:xyz {}' -c './user calls 1' | sed 's/pid[0-9]*/pidN/'
$ERLTRACE -qn 'pid$target::work:entry {}' -c ./nosuch 2>&1
$ERLTRACE -xengine=user -qn 'pid$target:a.out:work:entry {}' -c './user calls 1' 2>&1 | grep -c 'kernel engine only'
