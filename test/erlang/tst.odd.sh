# Unusual terms and threads: large messages, deep and improper terms, odd atoms, dirty schedulers, ports as receivers,
# remote pids.
# @@timeout: 60
. "$srcdir/lib.sh"
node_start
trace_start out -x maxoverhead=1000 -x strsize=512 -n '
erlang*:::message-send { @["sends"] = max(1); @t = max(strlen(copyinstr(arg1)) + arg2); }
erlang*:::message-queued { @q = max(arg1); }
erlang*:::process-exit { @r = max(strlen(copyinstr(arg1))); }
erlang*:::process-exit /copyinstr(arg1) == "\047odd \\n atom\047"/ { @o["odd atom"] = count(); }
erlang*:::process-register { @g = max(strlen(copyinstr(arg1))); }
erlang*:::process-scheduled { @s = max(strlen(copyinstr(arg1))); }
erlang*:::gc_minor-start, erlang*:::gc_major-start { @c = count(); }
erlang*:::bif-entry { @b = max(strlen(copyinstr(arg1))); }
erlang*:::nif-entry { @n = max(strlen(copyinstr(arg1))); }
ERROR { @e["error", arg4] = count(); }'
node_eval '
	E = spawn(fun E() -> receive stop -> ok; _ -> E() end end),
	E ! binary:copy(<<0>>, 100000000),
	E ! lists:seq(1, 5000000),
	Deep = fun Deep(0, T) -> T; Deep(N, T) -> Deep(N - 1, {T, [T | improper]}) end,
	E ! Deep(200, x) =:= y, E ! Deep(20, x),
	E ! maps:from_list([{I, #{I => [I | I]}} || I <- lists:seq(1, 100000)]),
	E ! 1 bsl 1000000, E ! -1.5e300, E ! <<1:7>>, E ! fun lists:map/2, E ! make_ref(), E ! fun() -> E end,
	E ! list_to_tuple(lists:seq(1, 1000000)),
	spawn(fun() -> exit(list_to_atom("odd \n atom")) end),
	spawn(fun() -> exit(list_to_atom([16#1F600, 39, 92, 0, 255])) end),
	spawn(fun() -> exit(list_to_atom(lists:duplicate(255, 16#1F600))) end),
	spawn(fun() -> exit(Deep(20, <<"text">>)) end),
	register(list_to_atom("with space " ++ [955]), spawn(fun() -> timer:sleep(10) end)),
	P = open_port({spawn, "cat"}, [binary]), P ! {self(), {command, <<"x">>}}, port_close(P),
	spawn(fun() -> erlang:garbage_collect(), [crypto:strong_rand_bytes(10) || _ <- [1, 2, 3]] end),
	[file:read_file_info("/") || _ <- lists:seq(1, 20)],
	erlang:system_info(allocator), erts_debug:size_shared(Deep(15, x)), erts_debug:dirty_cpu(wait, 1), erts_debug:dirty_io(wait, 1),
	timer:sleep(200), E ! stop, ok.' | cut -c1-200
trace_stop
grep -e sends -e odd -e error out.txt | sort
node_alive && echo alive
echo "after: $(clean_node)"
