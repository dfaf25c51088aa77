# Asserts that two commands at the same time both see every event, and that the end of one does not disturb the other.
. "$srcdir/common.sh"
mkfifo go
name=two-$$ # others on this machine run a ./workload, too
cp workload $name
cat >count.d <<'END'
syscall::getppid:entry /execname == $$1/ { @ = count(); }
END
# Each tells that its probes are on by the file that its command makes.
$K -s count.d -c 'sh -c "touch one; cat go >/dev/null"' $name >first 2>err1 &
a=$!
$K -s count.d -c 'sh -c "touch two; while [ ! -e over ]; do sleep 0.05; done"' $name >second 2>err2 &
b=$!
until { [ -e one ] && [ -e two ]; } || ! kill -0 $a || ! kill -0 $b; do sleep 0.05; done
./$name calls 1000
echo >go
wait $a
./$name calls 500
touch over
wait $b
awk 'NF { print $1 }' first second
cat err1 err2
