# The last argument of message-send, message-send-remote and message-queued is the message as a term.
. "$srcdir/lib.sh"

node_start
OTHER=$NODE
node_start
node_eval "net_kernel:connect_node('$OTHER@$(hostname -s)')." | grep -v '^ *$'
cat >tm.d <<'END'
erlang*:::message-send /is_tuple(args[6]) && element(1, args[6]) == "my_order"/
{
	printf("send %s: %d of %s\n", args[6], element(2, args[6]), binary(element(3, args[6])));
}
erlang*:::message-queued /is_tuple(args[6]) && element(1, args[6]) == "my_order"/
{
	printf("queued %s %d\n", map_get("to", element(4, args[6])), args[6] == copyinstr(arg6));
}
erlang*:::message-send-remote /is_tuple(args[7]) && element(1, args[7]) == "my_order"/
{
	printf("remote %s %s\n", copyinstr(arg2), args[7]);
}
erlang*:::message-queued /self->big == 0 && is_list(args[6]) && args[6] != "[]" && is_integer(hd(args[6]))/
{
	self->big = 1;
	printf("%s\n", substr(args[6], 0, 20));
}
END
trace_start out -s tm.d
node_eval "self() ! {my_order, 3, <<\"book\">>, #{to => bob}}, {nobody, '$OTHER@$(hostname -s)'} ! {my_order, far}, self() ! lists:seq(1, 500000), receive {my_order, _, _, _} -> ok end, receive L when is_list(L) -> ok end."
trace_stop
sort out.txt
clean_node
