# Asserts that the command ends, with everything that was counted, when its target ends, is killed or executes another
# program. A target that ends at once is not missed.
. "$srcdir/common.sh"
D='syscall::getppid:entry /pid == $target && execname == "workload"/ { @ = count(); }'
$K -n "$D" -c './workload calls 10' 2>&1 | awk 'NF { print $1 }'
$K -n "$D" -c './workload dies 30' 2>&1 | awk 'NF { print $NF }'
$K -n "$D" -c 'sh -c "exec ./workload calls 20"' 2>&1 | awk 'NF { print $1 }'
./workload spin 600000 &
pid=$!
: >on
$K -xswitchrate=20ms -n "$D"' BEGIN { printf("on\n"); }' -p $pid >on 2>&1 &
k=$!
until grep -q on on || ! kill -0 $k 2>/dev/null; do sleep 0.05; done
kill $pid
wait $k
echo $?
