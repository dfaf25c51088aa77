# The node shows what runs on its threads in a BPF map that the command gives to it: it is mapped while a script asks for
# eproc, and gone when that ends, however it ends. One script at a time has it; a second one reads the node's memory. Both
# count the same, exactly. Whatever is in it does no harm.
# @@timeout: 120
. "$srcdir/lib.sh"
"$ERLTRACE" -xengine=kernel -qn 'BEGIN { exit(0); }' >/dev/null 2>err || { sed -n '$p' err >&2; exit 67; }
node_start -pa "$BUILD/test/erlang"
maps() { grep -c 'anon_inode:bpf-map' "/proc/$NODE_PID/maps"; }
# its sockets that are not for a network: connections come and go
sockets() {
	ls -l "/proc/$NODE_PID/fd" | sed -n 's/.*socket:\[\([0-9]*\)\]/\1/p' | sort >open
	awk '{ print $7 }' "/proc/$NODE_PID/net/unix" | sort | comm -12 - open | wc -l
}
until_maps() { # until_maps N: waits until the node has mapped so many
	tries=0
	until [ "$(maps)" = "$1" ] || [ $tries -ge 200 ]; do sleep 0.05; tries=$((tries + 1)); done
}
writes='syscall::writev:entry /pid == $target && eproc != ""/ { @[eproc] = count(); } END { printa("<%s> %@d\n", @); }'
before=$(sockets)

echo "-- a script that does not ask"
trace_start out -n 'syscall::writev:entry { @ = count(); } END { trunc(@); }'
echo "mapped: $(maps)"
trace_stop

echo "-- two that do"
trace_start first -x pidnames=off -n "$writes"
first=$TRACE_PID
echo "mapped: $(maps)"
[ "$(sockets)" = "$before" ] || echo "sockets are left: $(ls -l /proc/$NODE_PID/fd)"
trace_start second -x pidnames=off -n "$writes"
second=$TRACE_PID
echo "mapped: $(maps)"
pid=$(node_eval 'shop_db:other(70).' | tr -d '"')
kill -INT $first
wait $first
until_maps 0
echo "the first has ended, mapped: $(maps)"
pid2=$(node_eval 'shop_db:other(40).' | tr -d '"')
kill -INT $second
wait $second
for of in first second; do
	for p in $pid $pid2; do grep -F "<$p>" $of | sed "s/.*> /$of: /"; done
done

echo "-- killed"
trace_start out -n "$writes"
echo "mapped: $(maps)"
kill -9 $TRACE_PID
wait $TRACE_PID 2>/dev/null
until_maps 0
echo "after: $(maps)"
tries=0
until [ "$(clean_node)" = clean ] || [ $tries -ge 100 ]; do sleep 0.1; tries=$((tries + 1)); done
clean_node

echo "-- anything in it"
trace_start out -x pidnames=off -n "$writes" -n 'syscall:::entry /pid == $target/ { self->e = eproc; self->f = emfa; @texts[self->e, self->f] = count(); } END { trunc(@texts); }'
at=$(sed -n 's/^\([0-9a-f]*\)-.*anon_inode:bpf-map.*/\1/p' "/proc/$NODE_PID/maps")
dd if=/dev/urandom of="/proc/$NODE_PID/mem" bs=4096 seek=$((0x$at / 4096)) count=32 conv=notrunc status=none
node_eval '[spawn(fun() -> shop_db:load(1, 20) end) || _ <- lists:seq(1, 20)], ok.'
pid=$(node_eval 'shop_db:other(70).' | tr -d '"')
kill -INT $TRACE_PID
wait $TRACE_PID
echo "status $?"
grep -F "<$pid>" out | sed 's/.*> //'

echo "-- functions"
trace_start out -x pidnames=off -n 'syscall::writev:entry /pid == $target && emfa == "prim_file:write_nif/2"/ { @[eproc] = count(); } END { printa("<%s> %@d\n", @); }'
pid=$(node_eval 'shop_db:other(100).' | tr -d '"')
kill -INT $TRACE_PID
wait $TRACE_PID
# now and then the VM has it run on before it leaves the scheduler
grep -F "<$pid>" out | awk '{ print ($2 >= 90 && $2 <= 100 ? "nearly all" : $0) }'
[ "$(sockets)" = "$before" ] || echo "sockets are left: $(ls -l /proc/$NODE_PID/fd)"
