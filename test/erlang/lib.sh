# For tests against a live node; sourced by the .sh files here. Each test has a node and a cookie of its own.
#
#   node_start [erl arguments]   starts it; $NODE is its name, $COOKIE its cookie, $NODE_PID its process
#   node_eval 'Expression.'      evaluates there and prints the result on a line
#   call_node EXPRESSION COMMAND…  the same by another erl_call; prints what that says
#   freeze PID                   SIGSTOP; returns when the process stands still
#   trace [arguments]            the command, attached to the node
#   trace_start OUT [arguments]  the same in the background, output in OUT and OUT.err; returns when tracing is on; $TRACE_PID
#   clean_node [release|attaching]  prints what erltrace has left on the node: must be "clean"; release: its modules are the node's
#                                own; attaching: a command was killed while it attached
#   needs_crypto                 skips the test if the VM of $ERL cannot load OpenSSL (one for musl cannot load glibc's)
#   $INFO                        begins an expression: Info(Item, Key) is trace_info/2 of what erltrace has set, on any OTP
# The node is ended when the test ends, however it ends.

command -v erl >/dev/null || { echo "erl is not installed" >&2; exit 67; }
[ -d "$BUILD/otp/erltrace/ebin" ] || { echo "built without Erlang" >&2; exit 67; }

COOKIE=erltrace_test_$$
NODE_PID=
NODES=

needs_crypto() {
	[ -z "$ERL" ] || "$ERL" -noshell -eval 'crypto:hash(sha, []), halt(0).' >/dev/null 2>&1 </dev/null ||
		{ echo "this VM has no crypto" >&2; exit 67; }
}

node_start() {
	NODE=erltrace-test-$$-$(echo "$NODES" | wc -w)
	: >"$NODE.log"
	: >"$NODE.start"
	"${ERL:-erl}" -sname "$NODE" -setcookie "$COOKIE" -noinput -kernel logger_level error +S 2 "$@" \
		-eval 'io:format("up~n")' >"$NODE.log" 2>&1 &
	NODE_PID=$!
	NODES="$NODES $NODE_PID"
	node_wait=0
	while ! grep -q '^up' "$NODE.log"; do
		sleep 0.05
		node_wait=$((node_wait + 1))
		[ $node_wait -lt 1200 ] || { echo "the node did not start: $(cat "$NODE.log")" >&2; exit 1; }
	done
}

# A node that died long ago may have left its number to a process of somebody else: only children of this shell are ended.
node_end() {
	for p in $NODES; do
		[ "$(cut -d' ' -f4 "/proc/$p/stat" 2>/dev/null)" = $$ ] || continue
		kill -9 "$p" 2>/dev/null
		wait "$p" 2>/dev/null
	done
	NODES=
}
trap node_end EXIT
trap 'exit 1' INT TERM HUP

node_alive() {
	kill -0 "$NODE_PID" 2>/dev/null && [ "$(node_eval 'alive.')" = alive ]
}

# erl_call starts no VM; it prints the value as Erlang does. An overloaded node may not answer its call in time.
ERL_CALL=$(command -v erl_call || ls /usr/lib/erlang/lib/erl_interface-*/bin/erl_call /usr/lib/erlang/erts-*/bin/erl_call 2>/dev/null | head -1)
call_node() { # call_node EXPRESSION COMMAND…: the command is erl_call
	node_expression=$1
	shift
	for node_try in 1 2 3 4 5 6 7 8 9 10; do
		node_said=$(echo "$node_expression" | "$@" -c "$COOKIE" -e 2>&1)
		case $node_said in
		*'failed to connect to node'*) [ -z "$NODE_PID" ] || kill -0 "$NODE_PID" 2>/dev/null || break ;;
		*) break ;;
		esac
		sleep 0.5
	done
	printf '%s\n' "$node_said"
}
node_eval() {
	call_node "$1" "$ERL_CALL" -sname "$NODE" | sed -e 's/^{ok, \(.*\)}$/\1/'
}

# The signal takes effect when a thread of the process gets a processor; until then the others go on.
freeze() {
	kill -STOP "$1"
	while grep -h '^State:' /proc/"$1"/task/*/status 2>/dev/null | grep -qv '[Tt] ('; do sleep 0.02; done
}

trace() {
	"$ERLTRACE" -N "$NODE" --cookie "$COOKIE" "$@"
}

trace_start() {
	trace_out=$1
	shift
	: >"$trace_out" 
	env --default-signal "$ERLTRACE" -N "$NODE" --cookie "$COOKIE" -x switchrate=20ms -x aggrate=20ms "$@" \
		-n 'tick-20ms { printf("tracing\n"); } ' -x quiet >"$trace_out" 2>"$trace_out.err" &
	TRACE_PID=$!
	trace_wait=0
	while ! grep -q '^tracing' "$trace_out"; do
		kill -0 $TRACE_PID 2>/dev/null || break
		sleep 0.05
		trace_wait=$((trace_wait + 1))
		[ $trace_wait -lt 12000 ] || break # all functions of a busy node take minutes
	done
}

# Ends it (a shell makes its background jobs ignore SIGINT). Then OUT.txt has what it printed besides the sign of life.
# Do not use it in a pipe, because the shell could not wait for it there.
trace_stop() {
	kill -TERM $TRACE_PID 2>/dev/null
	wait $TRACE_PID
	trace_status=$?
	grep -av -e '^tracing$' -e '^ *$' "$trace_out" | sed -e 's/  */ /g; s/^ //' >"$trace_out.txt"
	cat "$trace_out.err" >&2
	return $trace_status
}

# From OTP 27 on erltrace has a trace session of its own.
INFO='HasSessions = erlang:system_info(otp_release) >= "27",
	Sessions = fun() -> [S || HasSessions, {erltrace, _} = S <- apply(trace, session_info, [all])] end,
	Info = fun(Item, Key) ->
	    Nothing = {Key, case Key of traced -> false; _ -> [] end},
	    case {HasSessions, Sessions()} of
	        {true, []} -> Nothing;
	        {true, [S | _]} -> try apply(trace, info, [S, Item, Key]) catch error:badarg -> Nothing end; % it has just gone
	        _ -> erlang:trace_info(Item, Key)
	    end
	end,'

# Lists files of erltrace in folders as the node sees them. Files from before belong to somebody else.
node_files() {
	for folder; do
		find "/proc/$NODE_PID/root$folder" -maxdepth 1 -newer "$NODE.start" -name 'erltrace-????????????????????????????????' 2>/dev/null
	done
}

# The promise is two seconds, on a machine that is not overloaded. If a command was killed while the node loaded the
# modules, the last removal comes up to 11 s later (src/node/attach.c). The node's files are looked at from here, because
# the node may not be able to.
clean_node() {
	clean_wait=18
	[ "$(cut -d. -f1 /proc/loadavg)" -le $((2 * $(nproc))) ] || clean_wait=100
	[ "$1" != attaching ] || clean_wait=$((clean_wait + 110))
	clean_left=$(node_eval "$INFO"'
	Left = fun() ->
	    Traced = [P || P <- processes() ++ erlang:ports(),
	                   {tracer, {erltrace_tracer, _}} <- [erlang:trace_info(P, tracer)]],
	    New = [x || {flags, F} <- [erlang:trace_info(new, flags)], F =/= []],
	    Patterns = [{M, F, A} || M <- erlang:loaded(), {F, A} <- try M:module_info(functions) catch _:_ -> [] end,
	                             erlang:trace_info({M, F, A}, traced) =/= {traced, false}],
	    Counters = [S || HasSessions, {Name, _} = S <- apply(trace, session_info, [all]), lists:member(Name, [erltrace_counters, erltrace_levels])],
	    Events = [E || E <- [send, '"'receive'"'], erlang:trace_info(E, match_spec) =/= {match_spec, true}],
	    Modules = [M || M <- erlang:loaded(), lists:prefix("erltrace", atom_to_list(M)), "'$1'" =:= ""],
	    Registered = [R || R <- registered(), lists:prefix("erltrace", atom_to_list(R))],
	    Monitor = [M || M <- [erlang:system_monitor()], M =/= undefined],
	    Seq = [T || T <- [seq_trace:get_system_tracer()], T =/= false],
	    [{K, V} || {K, V} <- [{traced, Traced}, {new, New}, {patterns, Patterns}, {events, Events}, {modules, Modules},
	        {sessions, Sessions() ++ Counters}, {registered, Registered}, {monitor, Monitor}, {seq, Seq}], V =/= []]
	end,
	Wait = fun Wait(0) -> Left();
	           Wait(N) -> case Left() of [] -> clean; _ -> timer:sleep(100), Wait(N - 1) end
	       end,
	Wait('$clean_wait').')
	while [ "$clean_left" = clean ] && [ "$1" != release ]; do
		# (musl never unloads a library.)
		clean_files=$(grep -q -e ld-musl -e musl/libc.so "/proc/$NODE_PID/maps" || grep -o 'erltrace_tracer.*' "/proc/$NODE_PID/maps" | sort -u
			grep -l et-worker "/proc/$NODE_PID"/task/*/comm 2>/dev/null
			node_files /tmp)
		[ -n "$clean_files" ] || break
		clean_wait=$((clean_wait - 1))
		[ $clean_wait -gt 0 ] || clean_left="left: $(echo $clean_files)"
		sleep 0.1
	done
	echo "$clean_left"
}
