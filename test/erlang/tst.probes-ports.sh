# Probes of ports and drivers: opened, commanded, controlled, connected, closed, busy and no longer busy.
# @@timeout: 60
. "$srcdir/lib.sh"
node_start
trace_start out -n '
erlang*:::port-open /copyinstr(arg1) == "cat"/ { printf("port-open %s\n", copyinstr(arg1)); }
erlang*:::driver-start /copyinstr(arg1) == "cat"/ { printf("driver-start %s\n", copyinstr(arg1)); }
erlang*:::port-exit /copyinstr(arg2) == "cat"/ { printf("port-exit %s\n", copyinstr(arg3)); }
erlang*:::driver-stop /copyinstr(arg1) == "cat"/ { printf("driver-stop %s\n", copyinstr(arg1)); }
erlang*:::port-command /copyinstr(arg2) == "cat"/ { printf("port-command %s\n", copyinstr(arg3)); }
erlang*:::driver-outputv /copyinstr(arg2) == "cat" && arg3 < 100/ { printf("driver-outputv %d\n", arg3); }
erlang*:::port-control /copyinstr(arg2) == "cat"/ { printf("port-control %d\n", arg3); }
erlang*:::driver-control /copyinstr(arg2) == "cat"/ { printf("driver-control %d %d\n", arg3, arg4); }
erlang*:::port-connect /copyinstr(arg2) == "cat"/ { printf("port-connect\n"); }'
node_eval '
	P = open_port({spawn, "cat"}, [binary]),
	port_command(P, <<"hello">>),
	receive {P, {data, _}} -> ok after 5000 -> timeout end,
	catch port_control(P, 3, <<"xy">>),
	Q = spawn(fun() -> receive x -> ok end end),
	port_connect(P, Q), unlink(P), Q ! x, timer:sleep(500), ok.'
trace_stop
cat out.txt

trace_start out -n '
erlang*:::port-busy { printf("port-busy\n"); }
erlang*:::process-port_unblocked /copyinstr(arg0) != ""/ { printf("unblocked\n"); }'
# sleep reads nothing: the port gets busy until it ends
node_eval '
	P = open_port({spawn_executable, "/bin/sleep"}, [binary, stream, {args, ["1"]}]),
	{W, R} = spawn_monitor(fun() -> catch [port_command(P, binary:copy(<<"x">>, 65536)) || _ <- lists:seq(1, 40)], lists:seq(1, 10) end),
	receive {_, R, _, W, _} -> ok end.'
trace_stop
sort -u out.txt
echo "after: $(clean_node)"
