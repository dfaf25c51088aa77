# What the command tells besides: before the start, that a script is about very many functions; at the end, which probes
# have never fired; and how arguments are called.
# @@timeout: 240
. "$srcdir/lib.sh"
node_start
echo '-- top of an idle node'
trace --for 1s top 2>&1 >/dev/null
node_start -eval 'spawn(fun F() -> timer:sleep(5), F() end).'
# where something must have fired, a busy machine gets time for it
echo '-- never fired'
trace --for 3s -qn 'BEGIN, END, ERROR, tick-1h { } profile-97 { } lists:seq/2:entry { n++; } erlang*:::port-open /0/ { } erlang*:::process-scheduled /0/ { }' 2>&1 >/dev/null
trace --for 3s -n 'erlang*:::process-scheduled /0/ { }' 2>&1 >/dev/null
# by description: one of many is enough
trace --for 3s -qn 'erlang*:::process-* /0/ { } lists:s*:entry, prim_*:nosuch*:entry, maps:?e?/2:entry { }' -Z 2>&1 >/dev/null
trace -qn 'BEGIN { exit(0); } lists:seq/2:entry { }' 2>&1
# a ready-made script: only when nothing came at all
trace --for 300ms user-probe 2>&1 >/dev/null
trace --for 3s process-scheduling 2>&1 >/dev/null
trace --for 3s -x sample=1 process-scheduling 2>&1 >/dev/null
trace --for 300ms lists:seq/2 2>&1
"$ERLTRACE" --for 50ms -qn 'tick-1h { }' 2>&1
echo '-- very many'
trace --for 100ms -qn 'lists::entry { @ = count(); }' 2>&1 >/dev/null | sed -E 's/[0-9,]+ functions/N functions/; /never/d'
trace --for 100ms -qn 'lists::return, maps::return { @ = count(); }' 2>&1 >/dev/null | sed -E 's/[0-9,]+ functions/N functions/; /never/d'
trace --for 100ms -x maxoverhead=0 -qn 'erlang*:::function-entry { @ = count(); }' 2>&1 >/dev/null | grep -v never
trace --for 100ms -qn 'erlang*:::function-entry /copyinstr(arg1) == "lists:seq/2"/ { @ = count(); } lists:seq/2:entry { }' 2>&1 >/dev/null | grep -v never
echo '-- names of arguments'
trace -lvn 'erlang*:::message-send' | sed -n 's/^\t\t\(args\)/\1/p'
trace -lvn lists:seq/2:return | sed -n 's/^\t\t\(args\)/\1/p'
trace -lvP 'erlang*' | awk '/^\t\targs/ { n++; if (NF < 3 || $NF ~ /[*]$/) print } END { print (n > 200 ? "all have names" : n) }'
echo "after: $(clean_node)"
