# Probes of processes, links, exit signals, hibernation, garbage collections, code, sequential tracing, and the probe
# trace with every tag of the tracer.
# @@timeout: 180
. "$srcdir/lib.sh"
erlc -o . "$srcdir/load.erl" || exit 1
# other code of the same module: OTP 27 does not tell when the same is loaded again
mkdir other
sed 's/^-export/-export([other\/0]).\n-export/; $aother() -> ok.' "$srcdir/load.erl" >other/load.erl
erlc -o other other/load.erl || exit 1
node_start
node_eval 'code:ensure_loaded(erl_bits), code:ensure_loaded(eval_bits), code:ensure_loaded(timer), ok.' >/dev/null
trace_start out -n '
erlang*:::process-exit_signal /copyinstr(arg2) == "boom" || copyinstr(arg2) == "killed" || copyinstr(arg2) == "asked"/
{ printf("exit_signal %s %s\n", copyinstr(arg0) == copyinstr(arg1) ? "self" : "other", copyinstr(arg2)); }
erlang*:::process-hibernate { printf("hibernate %s\n", copyinstr(arg1)); }
erlang*:::code-load, erlang*:::code-delete, erlang*:::code-purge /copyinstr(arg0) == "load"/ { printf("%s %s %d\n", probename, copyinstr(arg0), strlen(copyinstr(arg1))); }
erlang*:::trace_seq { printf("seq %s %s\n", copyinstr(arg0), copyinstr(arg1)); }
erlang*:::process-register, erlang*:::process-unregister { printf("%s %s\n", probename, copyinstr(arg1)); }
erlang*:::process-link, erlang*:::process-unlink { @l[probename] = count(); }
erlang*:::system-large_heap /arg1 > 2000000/ { @h[probename] = max(1); }
erlang*:::process-heap_grow /arg2 > 2000000 && arg2 > arg1/ { @h[probename] = max(1); }
erlang*:::process-heap_shrink /arg2 < arg1/ { @h[probename] = max(1); }
erlang*:::gc_major-start /(int)arg1 >= 0/ { @h[probename] = max(1); }
erlang*:::gc_major-end /(int)arg1 >= 0/ { @h[probename] = max(1); }
erlang*:::process-spawn /copyinstr(arg1) == "load:die/1"/ { @p[probename] = count(); }
erlang*:::process-exit /copyinstr(arg1) == "because"/ { @p[probename] = count(); }'
node_eval '
	A = spawn(fun() ->
		spawn_link(fun() -> process_flag(trap_exit, true), receive {_, _, boom} -> ok end end),
		spawn_link(fun() -> receive never -> ok end end),
		receive b -> exit(boom) end end),
	timer:sleep(300), A ! b, timer:sleep(300),
	X = spawn(fun() -> receive z -> ok end end), exit(X, kill), timer:sleep(200),
	Y = spawn(fun() -> process_flag(trap_exit, true), receive {_, _, asked} -> ok end end), timer:sleep(200), exit(Y, asked), timer:sleep(200),
	spawn(fun() -> erlang:hibernate(lists, reverse, [[1]]) end), timer:sleep(200),
	code:load_file(load), code:purge(load),
	[begin {D, M} = spawn_monitor(load, die, [because]), receive {_, M, _, D, _} -> ok end end || _ <- lists:seq(1, 10)],
	code:load_abs("other/load"), code:purge(load), code:delete(load), code:purge(load), timer:sleep(300),
	register(foo, spawn(fun() -> receive stop -> ok end end)), foo ! stop, timer:sleep(200),
	spawn(fun() -> seq_trace:set_token(label, 17), seq_trace:set_token(send, true), self() ! hello, receive hello -> ok end end),
	{P, R} = spawn_monitor(fun() -> L = lists:seq(1, 2000000), put(l, lists:sum(L)), garbage_collect(), garbage_collect() end),
	receive {_, R, _, P, _} -> ok end, timer:sleep(500), ok.'
trace_stop
cat out.txt | grep -v @ | grep -v ' [0-9]*$' ; grep ' [0-9]*$' out.txt | grep -v 'code\|seq' | sed 's/\(process-u*n*link\) .*/\1 N/' | sort; grep '^seq\|^code-.* 32' out.txt
trace_start out -n 'erlang*:::trace { @[copyinstr(arg1)] = max(1); }'
node_eval 'spawn(fun() -> self() ! x, receive x -> ok end, garbage_collect(), register(foo, self()) end), timer:sleep(500), ok.'
trace_stop
tr -d "'" <out.txt | sort | grep -e '^send 1' -e "receive" -e '^in 1' -e '^out 1' -e '^exit 1' -e '^spawned 1' -e '^register 1' -e '^gc_major_end 1'
echo "after: $(clean_node)"
