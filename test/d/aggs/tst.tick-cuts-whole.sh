# While all CPUs count, a tick prints and clears: nothing is lost and nothing is shown twice. The parts add up to the
# value of an aggregation that is never cleared.
# @@timeout: 60
"$ERLTRACE" -qn '
profile-997 { @ = count(); @all = count(); @k[cpu] = count(); }
tick-200ms { printa("%@d\n", @); printa("k %@d %d\n", @k); clear(@); trunc(@k); i++; }
tick-200ms /i == 8/ { exit(0); }
END { printa("%@d\n", @); printa("k %@d %d\n", @k); printa("all %@d\n", @all); }' >out || exit 1
awk '$1 == "k" { k += $2; next } $1 == "all" { all = $2; next } { n += $1 } END {
	print (n == all && k == all && all > 100 ? "all of it" : n " and " k " of " all) }' out
