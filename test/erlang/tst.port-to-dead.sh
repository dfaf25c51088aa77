# A traced port sends to a process that has ended. The node survives, and what the port sends afterwards is still seen.
. "$srcdir/lib.sh"
${CC:-gcc} -std=c11 -D_GNU_SOURCE -O1 -fPIC -shared -I"$("${ERL:-erl}" -noinput -eval 'io:format("~ts/usr/include", [code:root_dir()]), halt().')" \
	-o dead.so "$srcdir/dead.c" || exit 1
node_start
node_eval "Self = self(),
	spawn(fun() ->
	    ok = erl_ddll:load_driver(\"$PWD\", \"dead\"),
	    Self ! register(port, open_port({spawn_driver, \"dead\"}, [])),
	    receive never -> ok end
	end),
	receive true -> opened end."
for more in '' ' erlang*:::trace /copyinstr(arg3) == "sent"/ { @[copyinstr(arg1)] = count(); }'; do
	trace_start out -n 'erlang*:::message-send /text(args[6]) == "sent"/ { @["seen"] = count(); }'"$more"
	node_eval "Control = fun(N) -> port_control(port, N, []) end,
		lists:foreach(fun(_) ->
		    {Gone, Ref} = spawn_monitor(fun() -> Control(0) end), receive {'DOWN', Ref, _, Gone, _} -> ok end,
		    Control(1)
		end, lists:seq(1, 1000)),
		Control(0), Control(10), length([receive sent -> ok end || _ <- lists:seq(1, 10)])."
	trace_stop
	sort out.txt
done
node_alive && echo alive
clean_node
