/*
 * Erlang distribution: nodes that come and go, and connections so busy that processes had to wait for them.
 *
 * Cost: next to nothing: these events are rare.
 *
 * @metric @nodes erlang_dist_nodes_total by event, peer: Nodes that came (nodeup) and went (nodedown).
 * @metric @busy erlang_dist_busy_total by peer: How often a process had to wait for a connection to another node.
 */
erlang*:::dist-monitor
{
	@nodes[copyinstr(arg1), copyinstr(arg2)] = count();
}

erlang*:::dist-port_busy
{
	@busy[copyinstr(arg2)] = count();
}
