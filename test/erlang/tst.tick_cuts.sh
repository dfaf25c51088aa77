# printa() and clear() in a tick on a node, at default rates: each print has what was counted until that tick, and every
# call that the two processes made is in exactly one of the prints.
# @@timeout: 90
. "$srcdir/lib.sh"
node_start
node_eval 'F = fun F() -> lists:seq(1, 3), F() end, spawn(F), spawn(F), ok.'
trace -q -x maxoverhead=0 -n '
tick-5ms { @t = count(); n++; }
erlang*:lists:seq/2:entry { @ = count(); @all = count(); @k[eproc] = count(); }
tick-300ms { printf("t %d ", n); printa("%@d\n", @t); printa("%@d\n", @); printa("k %@d %s\n", @k);
	clear(@); clear(@t); trunc(@k); n = 0; i++; }
tick-300ms /i == 8/ { exit(0); }
END { printa("end %@d\n", @); printa("k %@d %s\n", @k); printa("all %@d\n", @all); }' >out || exit 1
awk '$1 == "t" { ticks++; if ($2 != $3) print "tick", ticks ":", $0; next }
	$1 == "k" { k += $2; next } $1 == "all" { all = $2; next } $1 == "end" { n += $2; next }
	NF { n += $1; if ($1 == 0) print "an empty part" }
	END { print ticks, "ticks"; print (n == all && k == all && all > 100 ? "all of it" : n " and " k " of " all) }' out
