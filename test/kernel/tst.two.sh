# Asserts that two commands at the same time both see every event, and that the end of one does not disturb the other.
. "$srcdir/common.sh"
mkfifo go
cat >count.d <<'END'
syscall::getppid:entry /execname == "workload"/ { @ = count(); }
END
# Each tells that its probes are on by the file that its command makes.
$K -s count.d -c 'sh -c "touch one; cat go >/dev/null"' >first 2>err1 &
a=$!
$K -s count.d -c 'sh -c "touch two; while [ ! -e over ]; do sleep 0.05; done"' >second 2>err2 &
b=$!
i=0
while [ $i -lt 200 ] && ! { [ -e one ] && [ -e two ]; }; do
	sleep 0.05
	i=$((i + 1))
done
./workload calls 1000
echo >go
wait $a
./workload calls 500
touch over
wait $b
awk 'NF { print $1 }' first second
cat err1 err2
