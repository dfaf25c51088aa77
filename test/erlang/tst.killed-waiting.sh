# A command that waits while another one loads the modules is killed. The other one keeps the name by which it holds back
# those who come and who would remove the modules.
# @@timeout: 60
. "$srcdir/lib.sh"
node_start
# stands for the one that loads
node_eval 'Self = self(), spawn(fun() -> register(erltrace_loading, self()), Self ! loading, receive ends -> ok end end), receive loading -> loading end.'
"$ERLTRACE" -N "$NODE" --cookie "$COOKIE" -qn 'BEGIN { exit(0); }' >/dev/null 2>&1 &
TRACE_PID=$!
node_eval 'Keeper = fun Keeper() ->
	    case [P || P <- processes(), process_info(P, initial_call) =:= {initial_call, {lists, zipwith, 3}}] of
	        [P | _] -> P;
	        [] -> timer:sleep(10), Keeper()
	    end
	end,
	register(waiting, Keeper()), waiting.'
kill -9 $TRACE_PID
wait $TRACE_PID 2>/dev/null
node_eval "Ref = monitor(process, waiting), receive {'DOWN', Ref, _, _, _} -> case whereis(erltrace_loading) of undefined -> taken_away; _ -> kept end end."
node_eval 'erltrace_loading ! ends, ok.'
trace -qn 'BEGIN { printf("next\n"); exit(0); }'
clean_node attaching
