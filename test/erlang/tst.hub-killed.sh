# The hub is killed while an agent is too busy to notice, and nobody knows that agent: not the next hub, nor a process that
# would remove the modules for a command that has failed. They wait, and the script runs. If the command is killed then,
# nothing is left.
# @@timeout: 240
. "$srcdir/lib.sh"
node_start

# hold: an agent that has begun, and whose script is not on yet, does nothing until it is told to go on. Its hub is killed.
# With GUARD=off no other hub follows, and with it as soon as there is one.
hold() {
	while :; do
		# the one before has ended
		node_eval '(fun Wait() -> whereis(holder) =:= undefined orelse begin timer:sleep(10), Wait() end end)().' >/dev/null
		node_eval "spawn(fun() ->
		    register(holder, self()),
		    process_flag(priority, high),
		    Agents = fun() -> [P || P <- processes(), process_info(P, initial_call) =:= {initial_call, {erltrace_agent, init, 4}}] end,
		    Opened = fun() -> try element(1, erltrace_tracer:state()) =:= 1 catch error:_ -> false end end,
		    Agent = fun Agent() -> case Opened() andalso Agents() of [P] -> P; _ -> receive after 1 -> Agent() end end end(),
		    erlang:suspend_process(Agent),
		    register(held, Agent),
		    receive go_on -> erlang:resume_process(Agent), unregister(held) end
		end), ok." >/dev/null
		"$ERLTRACE" -N "$NODE" --cookie "$COOKIE" -x counters=off -qn "BEGIN { printf(\"runs\\n\"); } erlang*:::process-spawn { @ = count(); } tick-50ms { exit(0); } END { clear(@); trunc(@); }" >out 2>&1 &
		TRACE_PID=$!
		until [ "$(node_eval 'whereis(held) =/= undefined.')" = true ] || ! kill -0 $TRACE_PID 2>/dev/null; do sleep 0.05; done
		if [ "$(node_eval 'whereis(held) =/= undefined.')" != true ]; then # it was over before the holder looked
			node_eval 'exit(whereis(holder), kill), ok.' >/dev/null
			wait $TRACE_PID
			continue
		fi
		[ "$(node_eval "$INFO"'{flags, F} = Info(new, flags), F.')" != '[]' ] || break
		node_eval 'holder ! go_on, ok.' >/dev/null # too late: the script is on
		wait $TRACE_PID
	done
	node_eval "Hub = whereis(erltrace_hub), Ref = monitor(process, Hub),
		'$GUARD' =:= off andalso erltrace_tracer:guard(undefined, []),
		exit(Hub, kill), receive {'DOWN', Ref, _, _, _} -> ok end,
		'$GUARD' =:= off orelse (fun Wait() -> whereis(erltrace_hub) =:= undefined andalso begin timer:sleep(10), Wait() end end)(),
		erltrace_agent:abandon(),
		%% much longer than it would take to remove the modules
		timer:sleep(1500),
		[{agent, is_process_alive(whereis(held))}, {modules, erlang:module_loaded(erltrace_agent)}, {hub, is_pid(whereis(erltrace_hub))}]."
}
for GUARD in on off; do
	echo "= guard $GUARD"
	hold
	node_eval 'holder ! go_on, ok.'
	wait $TRACE_PID
	grep -v "never fired" out | grep .
	clean_node
	echo "= guard $GUARD, killed"
	hold
	kill -9 $TRACE_PID
	wait $TRACE_PID 2>/dev/null
	clean_node
	node_eval 'exit(whereis(holder), kill).'
done
