# printa() and clear() in a tick act on what was counted until that tick, at default rates: @ always has the value that
# a variable counted, however late the consumer comes. Both probes fire in one thread, so the numbers must be the same.
# @@timeout: 60
"$ERLTRACE" -qn '
tick-5ms { @ = count(); @k["key"] = sum(1); n++; }
tick-500ms { printf("%d", n); printa(" %@d", @); printa(" %@d\n", @k); clear(@); clear(@k); n = 0; i++; }
tick-500ms /i == 6/ { exit(0); }' >out || exit 1
awk 'NF == 3 { lines++; if ($1 != $2 || $1 != $3) print "line", lines ":", $0 } END { print lines, "lines" }' out
