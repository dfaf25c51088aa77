# stack(), ustack() and jstack() give Erlang stacks: the traced functions that are running, and the caller of the outermost;
# also as keys.
# @@timeout: 60
. "$srcdir/lib.sh"
erlc -o . "$srcdir/load.erl" || exit 1
node_start
[ "$(node_eval 'erlang:system_info(otp_release) < "26".')" = true ] || { echo "from OTP 26 on stacks are whole: tst.sessions.sh" >&2; exit 67; }
trace_start out -n 'erlang*:load:call/1:entry, erlang*:load:up/1:entry { @[ustack()] = count(); }
	erlang*:load:throws/1:entry { stack(); }
	erlang*:load:up/1:entry { @j[jstack()] = count(); }
	erlang*:::process-spawn /copyinstr(arg1) == "load:die/1"/ { @s[stack()] = count(); }'
node_eval 'load:calls(3), lists:foreach(fun load:call/1, [1, 2]), catch load:throws(1), spawn(load, die, [normal]), timer:sleep(300), ok.'
trace_stop
cat out.txt
echo "after: $(clean_node)"
