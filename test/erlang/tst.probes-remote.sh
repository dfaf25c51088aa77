# Probes of messages, exit signals and connections between two nodes, sequential-trace tokens, and calls of BIFs and
# NIFs.
# @@timeout: 60
. "$srcdir/lib.sh"
node_start
OTHER=$NODE
node_start
HOST=$(node_eval 'list_to_atom(lists:last(string:tokens(atom_to_list(node()), "@"))).' | tr -d "'")
trace_start out -n '
erlang*:::message-send-remote /copyinstr(arg2) == "rex" && arg3 == 4/ { printf("remote %s %d\n", copyinstr(arg1), arg3); }
erlang*:::message-send-remote /substr(copyinstr(arg2), 0, 1) == "<" && arg3 == 4/ { printf("remote pid %s %d\n", copyinstr(arg1), arg4); }
erlang*:::message-send /copyinstr(arg1) == "known_name"/ { printf("name %d %d %d %d\n", arg2, arg3, arg4, arg5); }
erlang*:::process-exit_signal-remote { printf("exit_signal-remote %s %s\n", copyinstr(arg1), copyinstr(arg3)); }
erlang*:::dist-monitor /copyinstr(arg3) == "visible"/ { printf("dist-monitor %s %s %s\n", copyinstr(arg1), copyinstr(arg2), copyinstr(arg3)); }
erlang*:::bif-entry /copyinstr(arg1) == "erlang:crc32/1"/ { self->in = 1; @b["bif-entry"] = count(); }
erlang*:::bif-return /self->in && copyinstr(arg1) == "erlang:crc32/1"/ { self->in = 0; @b["bif-return"] = count(); }
erlang*:::nif-entry /copyinstr(arg1) == "erlang:crc32/1"/ { @b["wrong"] = count(); }
erlang*:::nif-entry /copyinstr(arg1) == "prim_file:get_cwd_nif/0"/ { @b["nif-entry"] = count(); }
erlang*:::nif-return /copyinstr(arg1) == "prim_file:get_cwd_nif/0"/ { @b["nif-return"] = count(); }
'
node_eval "
	Other = list_to_atom(\"$OTHER@$HOST\"),
	pong = net_adm:ping(Other),
	P = spawn(Other, timer, sleep, [5000]),
	{rex, Other} ! {1, 2, 3},
	seq_trace:set_token(label, 7), seq_trace:set_token(serial, {3, 4}),
	register(known_name, spawn(fun() -> receive stop -> ok end end)),
	known_name ! {a, b},
	P ! {a, b, c},
	seq_trace:set_token([]),
	known_name ! stop,
	exit(P, shutdown),
	W = fun(F) -> F() end,
	[begin B = erlang:crc32(\"x\"), W(fun() -> B end) end || _ <- lists:seq(1, 5)],
	[begin {ok, _} = prim_file:get_cwd(), W(fun() -> ok end) end || _ <- lists:seq(1, 3)],
	erlang:disconnect_node(Other), timer:sleep(500), ok."
trace_stop
# OTP's global may say something to a node that has just gone, which connects them again
sed -e "s/@$HOST/@HOST/; s/$OTHER/OTHER/" out.txt | sort | awk '!/^dist-monitor/ || !seen[$0]++'
clean_node
