# A function probe that matches nothing gets suggestions: functions, arities, modules, names of probes.
# @@timeout: 60
. "$srcdir/lib.sh"
node_start
for p in lists:sqe/2:entry lists:seq:entry list:seq/2:entry lists:seq/2:entri lists:zzzzz/9:entry 'lists:s*x/9:entry' 'l*x:seq/2:entry'; do
	trace -n "erlang*:$p { }" 2>&1 | sed -n -e 's/.*\(erlang\*:.*does not match any probes\)/\1/p; s/^ *did/did/p'
done
# the name of the probe is missing
for p in 'lists:seq/2' 'lists:seq/2 /args[0] == 1/' 'lists:seq' 'lists:seq/3,lists:seq/2'; do
	trace -n "$p { }" 2>&1 | sed -n '$s/^ *//p'
done
# where nothing is near, what there is
for p in 'erlang*:lists:seq/2:enter' 'erlang:::process-spawn' 'erlang*:::zzzzz'; do
	trace -n "$p { }" 2>&1 | sed -n '$s/^ *//p'
done
# sizes that a node does not take
trace -x strsize=4 -n BEGIN 2>&1 | sed -n 's/.*tracing: //p'
trace -x strsize=100k -n BEGIN 2>&1 | sed -n 's/.*tracing: //p'
# the cookie need not be on the command line; a wrong one is told so, and commands do not see it
ERLTRACE_COOKIE=$COOKIE "$ERLTRACE" -N "$NODE" -q -c 'env' -n 'erlang*:::process-spawn { } BEGIN { printf("in\n"); exit(0); }' | grep -e '^in$' -e COOKIE
ERLTRACE_COOKIE=wrong "$ERLTRACE" -N "$NODE" -l 2>&1 | sed 's/.*connection: //'
# naming things never makes them
node_eval 'try binary_to_existing_atom(<<"zzzz_no_module">>) catch _:_ -> no_atom end.'
trace -n 'erlang*:zzzz_no_module:f/0:entry { }' 2>&1 | grep -c 'does not match'
node_eval 'try list_to_existing_atom("zzzz_no_" ++ "module") catch _:_ -> no_atom end.'
# all functions are listed at once
trace -l -n 'erlang*:*:*:entry' | awk 'NR > 1' | wc -l | awk '{ print ($1 > 3000 ? "all functions" : $1) }'
trace -l -n 'erlang*:lists:s?q/[2-3]:entry' | awk 'NR > 1 { print $3, $4, $5 }' | sort
echo "after: $(clean_node)"
