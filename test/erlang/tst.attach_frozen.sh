# A signal ends the command while it attaches to a stopped node: within 2 s, with the status of the signal, and with a
# message that names the node. The node is as it was before.
# @@timeout: 90
. "$srcdir/lib.sh"
node_start
freeze "$NODE_PID"
for sig in INT TERM HUP; do
	env --default-signal "$ERLTRACE" -N "$NODE" --cookie "$COOKIE" -n 'erlang*:::process-spawn { @ = count(); }' >out 2>err &
	command=$!
	# it shakes hands when it has two sockets: one keeps its name, the other is the connection
	until [ "$(ls -l /proc/$command/fd 2>/dev/null | grep -c socket:)" -ge 2 ]; do
		kill -0 $command 2>/dev/null || { echo "$sig: ended by itself: $(cat err)"; break; }
		sleep 0.05
	done
	from=$(date +%s)
	kill -$sig $command
	wait $command 2>/dev/null
	echo "$sig: $?"
	[ $(($(date +%s) - from)) -le 3 ] || echo "$sig: $(($(date +%s) - from)) s"
	sed "s/$NODE@[^:]*/NODE/" err
done
kill -CONT "$NODE_PID"
node_alive || echo 'the node is not alive'
trace -qn 'BEGIN { printf("attached"); exit(0); }'
clean_node
