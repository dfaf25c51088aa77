# A loop that calls itself last has a return for each of ten million rounds, and its stack stays as small as it is without
# tracing. (The heap has some thousand words, because the VM makes the terms of an event there.)
# @@timeout: 240
. "$srcdir/lib.sh"
erlc -o . "$srcdir/returns.erl" || exit 1
node_start +S 1
trace_start out -x maxoverhead=1000 -n 'erlang*:returns:loop/1:entry { @["entry"] = count(); self->n++; }
	erlang*:returns:loop/1:return /self->n == 1/ { @["return"] = count(); self->n = 0; }'
node_eval '{Looks, Stack, Heap} = returns:rounds(10000000), {Looks >= 10, Stack < 50, Heap < 100000}.'
trace_stop
sort out.txt
echo "after: $(clean_node)"
