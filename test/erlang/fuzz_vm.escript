#!/usr/bin/env escript
%% fuzz_vm.escript ERLTRACE NODE COOKIE SECONDS LIMIT: scripts start and end on a node under load, several at once. Most
%% of the commands are killed at a random moment, and have LIMIT seconds to end. Prints how many were started.
-mode(compile).

main([Erltrace, Node, Cookie, Seconds, Limit]) ->
    Until = now_ms() + list_to_integer(Seconds) * 1000,
    Ns = [spawn_monitor(fun() -> exit(loop(Until, [Erltrace, Node, Cookie, list_to_integer(Limit) * 1000], 0)) end) || _ <- lists:seq(1, 4)],
    Counts = [receive {'DOWN', Ref, process, Pid, N} -> N end || {Pid, Ref} <- Ns],
    io:format("~b commands~n", [lists:sum(Counts)]).

now_ms() -> erlang:monotonic_time(millisecond).

loop(Until, Target, N) ->
    case now_ms() < Until of
        true -> once(Target), loop(Until, Target, N + 1);
        false -> N
    end.

once([Erltrace, Node, Cookie, Limit]) ->
    Scripts = scripts(),
    Script = lists:nth(rand:uniform(length(Scripts)), Scripts),
    %% a shell that runs this in the background has SIGINT ignored, and so would the command
    Port = open_port({spawn_executable, os:find_executable("env")},
                     [{args, ["--default-signal", Erltrace, "-N", Node, "--cookie", Cookie, "-q", "-x", "maxoverhead=0", "-x", "switchrate=50ms", "-x", "bufsize=256k",
                              "-x", "aggsize=256k", "-n", Script]},
                      binary, exit_status, stderr_to_stdout]),
    {os_pid, Pid} = erlang:port_info(Port, os_pid),
    After = case rand:uniform(3) of 1 -> rand:uniform(150); _ -> 200 + rand:uniform(1500) end,
    drain(Port, now_ms() + After),
    Signal = case rand:uniform(4) of 1 -> "-INT"; 2 -> "-TERM"; _ -> "-KILL" end,
    os:cmd("kill " ++ Signal ++ " " ++ integer_to_list(Pid)),
    ended(Port, Pid, now_ms() + Limit).

drain(Port, Until) ->
    receive
        {Port, {exit_status, _}} -> self() ! {Port, {exit_status, 0}}, ok;
        {Port, _} -> drain(Port, Until)
    after max(0, Until - now_ms()) -> ok
    end.

ended(Port, Pid, Until) ->
    receive
        {Port, {exit_status, _}} -> ok;
        {Port, _} -> ended(Port, Pid, Until)
    after max(0, Until - now_ms()) ->
        io:format("a command did not end~n"),
        os:cmd("kill -KILL " ++ integer_to_list(Pid))
    end.

scripts() ->
    ["erlang*:fuzz_load:f/1:entry { printf(\"%s\\n\", args[0]); @[args[0]] = count(); }",
     "erlang*:fuzz_load:f/1:entry { trace(element(1, args[0])); trace(hd(args[0])); }
      erlang*:fuzz_load:f/1:entry { trace(map_get(\"id\", args[0])); trace(map_get(args[0], args[0])); }
      erlang*:fuzz_load:f/1:entry { trace(length(args[0])); @ = sum(term_int(args[0])); }
      erlang*:fuzz_load:f/1:entry { trace(binary(args[0])); trace(atom(args[0])); trace(byte_size(args[0])); }
      ERROR { @e[arg4] = count(); }",
     "erlang*:fuzz_load:g/2:entry { self->a = text(args[0]); x[text(args[1])] = timestamp; this->t = tl(args[0]); @l[is_list(this->t)] = count(); }
      erlang*:fuzz_load:g/2:return { @r[self->a, args[0]] = count(); self->a = 0; }",
     "erlang*:fuzz_load:h/3:exception { @[args[0], args[1]] = count(); } erlang*:fuzz_load:h/3:return { @r = count(); }",
     "erlang*:fuzz_load:*:entry { @[probefunc] = count(); } erlang*:fuzz_load:*:return { @r[probefunc] = count(); }",
     "erlang*:::function-entry { @[copyinstr(arg1)] = count(); } erlang*:::function-return { @r[copyinstr(arg1), arg2] = count(); }",
     "erlang*:::bif-entry,erlang*:::nif-entry { @[copyinstr(arg1)] = count(); } erlang*:::bif-return { @r = count(); }",
     "erlang*:::message-send { @[copyinstr(arg0), copyinstr(arg1)] = quantize(arg2); @t[arg3, arg4, arg5] = count(); }
      erlang*:::message-queued { @q = quantize(arg1); } erlang*:::message-send-remote { printf(\"%s %s\", copyinstr(arg1), copyinstr(arg2)); }",
     "erlang*:::message-send { trace(args[6]); } erlang*:::message-queued { trace(args[6]); }",
     "erlang*:::process-spawn { self->s = timestamp; @[copyinstr(arg1)] = count(); } erlang*:::process-exit { @x[copyinstr(arg1)] = count(); @t = quantize(timestamp - self->s); }",
     "erlang*:::process-scheduled { self->t = timestamp; self->v = vtimestamp; } erlang*:::process-unscheduled /self->t/ { @ = quantize(timestamp - self->t); @v[eproc] = sum(vtimestamp - self->v); self->t = 0; }",
     "erlang*:::gc_minor-start,erlang*:::gc_major-start { self->g = timestamp; } erlang*:::gc_minor-end,erlang*:::gc_major-end { @[copyinstr(arg0)] = quantize(timestamp - self->g); }
      erlang*:::process-heap_grow { @h = quantize(arg2 - arg1); }",
     "erlang*:::port-open { printf(\"%s %s\\n\", copyinstr(arg0), copyinstr(arg1)); } erlang*:::port-command,erlang*:::port-control { @[copyinstr(arg2)] = count(); }
      erlang*:::driver-output { @o = sum(arg3); } erlang*:::port-exit { trace(copyinstr(arg3)); } erlang*:::driver-stop { @s = count(); }",
     "erlang*:::process-exit_signal { @[copyinstr(arg0), copyinstr(arg1)] = count(); } erlang*:::process-exit_signal-remote { trace(copyinstr(arg3)); }
      erlang*:::process-hibernate { trace(copyinstr(arg1)); } erlang*:::process-register,erlang*:::process-unregister { @r[copyinstr(arg1)] = count(); }",
     "erlang*:::request-send,erlang*:::request-start,erlang*:::request-reply { @[copyinstr(arg2)] = count(); self->r = copyinstr(arg3); trace(args[4]); }
      erlang*:::request-done { @d[copyinstr(arg1)] = count(); } erlang*:::request-stop { self->r = 0; }",
     "erlang*:::code-load,erlang*:::code-delete,erlang*:::code-purge { printf(\"%s %s\\n\", copyinstr(arg0), copyinstr(arg1)); }",
     "erlang*:::trace { @[copyinstr(arg1)] = count(); trace(copyinstr(arg3)); } erlang*:::trace_seq { trace(copyinstr(arg2)); }",
     "erlang*:::user_trace-i4s4 { trace(copyinstr(arg0)); @[arg2] = count(); } erlang*:::user_trace-s1 { trace(copyinstr(arg0)); }",
     "tick-1ms { @ = count(); } profile-997 { @p = count(); } erlang*:::message-send { self->spec = speculation(); speculate(self->spec); trace(1); } erlang*:::message-send { commit(self->spec); }",
     "erlang*:fuzz_load:tail/1:entry { copyin(arg0 + 0x1000, 64); trace(strjoin(text(args[0]), \"x\")); } ERROR { @[arg4] = count(); }",
     "erlang*:fuzz_load:f/1:entry { exit(3); } erlang*:fuzz_load:g/2:entry { exit(4); } END { trace(1); }"].
