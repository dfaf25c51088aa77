# A command is killed while the node is loading the modules: they are removed although loading ends only afterwards.
. "$srcdir/lib.sh"

node_start
# holds the process that loads them, and lets it go on when it is told to
node_eval 'spawn(fun() ->
	process_flag(priority, high),
	register(holder, self()),
	Loads = fun(P) ->
	    case process_info(P, current_stacktrace) of
	        {current_stacktrace, Stack} ->
	            Is = fun(Name) -> [x || {code, F, _, _} <- Stack, lists:prefix(Name, atom_to_list(F))] =/= [] end,
	            not Is("ensure") andalso (Is("atomic_load") orelse Is("prepare_") orelse Is("finish_loading"));
	        _ -> false
	    end
	end,
	Look = fun Look() ->
	    case [P || P <- processes(), P =/= self(), Loads(P)] of
	        [P | _] ->
	            try erlang:suspend_process(P) of
	                _ -> case Loads(P) of
	                         true -> P;
	                         false -> erlang:resume_process(P), Look()
	                     end
	            catch _:_ -> Look()
	            end;
	        [] -> erlang:yield(), Look()
	    end
	end,
	P = Look(),
	register(held, P),
	receive go_on -> erlang:resume_process(P) end
end), ok.'
tries=0
until [ "$(node_eval 'whereis(held) =/= undefined.')" = true ] || [ $tries -gt 40 ]; do
	"$ERLTRACE" -N "$NODE" --cookie "$COOKIE" -qn 'BEGIN { exit(0); }' >/dev/null 2>&1 &
	TRACE_PID=$!
	wait=0
	until [ "$(node_eval 'whereis(held) =/= undefined.')" = true ] || ! kill -0 $TRACE_PID 2>/dev/null || [ $wait -gt 200 ]; do
		wait=$((wait + 1))
	done
	tries=$((tries + 1))
done
kill -9 $TRACE_PID 2>/dev/null
wait $TRACE_PID 2>/dev/null
# the first removal is over when the lock is gone
wait=0
until [ "$(node_eval 'whereis(erltrace_loading).')" = undefined ] || [ $wait -gt 200 ]; do
	sleep 0.1
	wait=$((wait + 1))
done
node_eval 'holder ! go_on, ok.'
sleep 1
clean_wait=0
until [ "$(node_eval '[M || M <- erlang:loaded(), lists:prefix("erltrace", atom_to_list(M))].')" = '[]' ] || [ $clean_wait -gt 150 ]; do
	sleep 0.1
	clean_wait=$((clean_wait + 1))
done
clean_node attaching
