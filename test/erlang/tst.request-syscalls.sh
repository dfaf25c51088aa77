# scripts/request-syscalls.d counts the system calls that requests cause, exactly: those of the third server on the way,
# under the name of the first request, and none of what else the node does at the same time. Nothing is left.
# @@timeout: 180
. "$srcdir/lib.sh"
"$ERLTRACE" -xengine=kernel -qn 'BEGIN { exit(0); }' >/dev/null 2>err || { sed -n '$p' err >&2; exit 67; }
script=$srcdir/../../scripts/request-syscalls.d
node_start -pa "$BUILD/test/erlang"
node_eval 'chain:start().'

# Three writes each, in back; ten by a request to back itself; and others, by a process that works for no request.
trace_start out -s "$script"
node_eval '[chain:order({0, 0, 0}, Limit) || Limit <- [infinity, 60000], _ <- lists:seq(1, 20)], ok.'
node_eval '[chain:ask({store, 0, 5}) || _ <- lists:seq(1, 2)], ok.'
node_eval 'element(1, chain:ask({sleep, 1})) =/= none.'
node_eval 'is_list(shop_db:other(70)).'
trace_stop
grep -E '^(order|store) [0-9]+$' out.txt
sed -n 's/^\([a-z]*\) <[0-9.]*> \([a-z]*\) writev [0-9]* \([0-9]*\)$/\1: \2 wrote \3 times/p' out.txt | sort

# Also those that are part of an order: 5 with 3 writes each, beside 3 with 7.
echo "-- one name"
trace_start out -s "$script" 0 store
node_eval '[chain:order({0, 0, 0}) || _ <- lists:seq(1, 5)], ok.'
node_eval '[chain:ask({store, 0, 7}) || _ <- lists:seq(1, 3)], ok.'
trace_stop
grep -E '^[a-z_]+ [0-9]+$' out.txt
sed -n 's/^\([a-z]*\) <[0-9.]*> \([a-z]*\) writev [0-9]* \([0-9]*\)$/\1: \2 wrote \3 times/p' out.txt | sort
echo "after: $(clean_node)"
