# One clause prints and a later one of the same probe clears: what is counted between the two is neither lost nor shown
# twice.
# @@timeout: 60
"$ERLTRACE" -qn '
profile-997 { @ = count(); @all = count(); }
tick-200ms { printa("%@d\n", @); }
tick-200ms { clear(@); i++; }
tick-200ms /i == 6/ { exit(0); }
END { printa("%@d\n", @); printa("all %@d\n", @all); }' >out || exit 1
awk '$1 == "all" { all = $2; next } { n += $1 } END { print (n == all && all > 100 ? "all of it" : n " of " all) }' out
