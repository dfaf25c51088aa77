# scripts/request-token.d shows every message that work with a sequential-trace token causes, through three servers and
# back: in order, with names, and for each hop at least the time that the server slept. Other labels are left out.
# @@timeout: 120
. "$srcdir/lib.sh"
node_start -pa "$BUILD/test/erlang"
node_eval 'chain:start(), timer:sleep(1).'
trace_start out -s "$srcdir/../../scripts/request-token.d" 17
for label in 18 17; do
	node_eval "{P, R} = spawn_monitor(fun() -> seq_trace:set_token(label, $label), ok = gen_server:call(front, {order, {10, 20, 30}}) end),
		receive {'DOWN', R, process, P, Why} -> Why end."
done
n=0
until [ "$(grep -c '^ *17 ' out)" -ge 6 ] || [ $n -gt 600 ]; do n=$((n + 1)); sleep 0.05; done
trace_stop
grep -c '^18 ' out.txt
# the process that began it has ended, and may have no name any more
sed -n 's/^17 [0-9]* [0-9]* [0-9]* [0-9]* <[0-9.]*> \([^ ]*\) -> <[0-9.]*> \([^ ]*\) .*/\1 -> \2/p' out.txt |
	sed '1s/^[^ ]*/client/; $s/[^ ]*$/client/'
awk '$1 == 17 { n++; least = n >= 2 && n <= 4 ? (n - 1) * 10000 : 0
	if ($5 < least) print "message " n " took only " $5
	if ($2 < at || (n > 1 && $3 <= after) || (n == 1 && $3 != 0)) print "not in order: " $0
	at = $2; after = $3 }' out.txt
echo "after: $(clean_node)"
