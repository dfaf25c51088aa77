#!/usr/bin/env escript
%% soak.escript ERLTRACE NODE COOKIE SECONDS LIMIT SEED: random scripts, three at once, on a node. They end by
%% themselves, by a signal, by kill -9, or because nobody reads their output. Each has LIMIT seconds to end. Prints what
%% goes wrong, then how many scripts there were.
-mode(compile).

main([Erltrace, Node, Cookie, Seconds, Limit, Seed]) ->
    Until = now_ms() + list_to_integer(Seconds) * 1000,
    Target = {Erltrace, Node, Cookie, list_to_integer(Limit) * 1000},
    Workers = [spawn_monitor(fun() -> rand:seed(exsss, {list_to_integer(Seed), I, I}), exit(loop(Until, Target, 0)) end) || I <- [1, 2, 3]],
    Counts = [receive {'DOWN', Ref, process, Pid, N} -> N end || {Pid, Ref} <- Workers],
    io:format("~p commands~n", [lists:sum(Counts)]).

now_ms() -> erlang:monotonic_time(millisecond).

loop(Until, Target, N) ->
    case now_ms() < Until of
        true -> once(Target), loop(Until, Target, N + 1);
        false -> N
    end.

once({Erltrace, Node, Cookie, Limit}) ->
    Life = 100 + rand:uniform(900),
    Self = lists:flatten(io_lib:format("profile:::tick-~bms { exit(0); }", [Life])),
    How = pick([self, self, int, term, kill, kill, deaf]),
    Options = pick([[], ["-x", "bufpolicy=ring"], ["-x", "bufpolicy=fill"], ["-x", "strsize=2048"], ["-x", "nspec=4"], ["-x", "aggrate=10ms"]]),
    {Where, Script} = case rand:uniform(12) =:= 1 andalso os:cmd("id -u") =:= "0\n" of
                          true -> {["-x", "engine=kernel"], pick(kernel())};
                          false -> {["-N", Node, "--cookie", Cookie], script()}
                      end,
    Args = Where ++ ["-q", "-x", "maxoverhead=0", "-x", "switchrate=50ms", "-x", "bufsize=256k", "-x", "aggsize=256k",
            "-x", "dynvarsize=256k"] ++ Options ++ ["-n", Script] ++ [A || How =:= self, A <- ["-n", Self]],
    Port = open_port({spawn_executable, "/bin/sh"},
                     [{args, ["-c", case How of deaf -> "env --default-signal \"$@\" | head -c 100 >/dev/null"; _ -> "exec env --default-signal \"$@\"" end, "sh", Erltrace | Args]},
                      binary, exit_status, stderr_to_stdout]),
    {os_pid, Pid} = erlang:port_info(Port, os_pid),
    Out = case How of
              self -> [];
              deaf -> [];
              _ -> wait(Port, now_ms() + Life, [])
          end,
    case How of
        int -> os:cmd("kill -INT " ++ integer_to_list(Pid));
        term -> os:cmd("kill -TERM " ++ integer_to_list(Pid));
        kill -> os:cmd("kill -KILL " ++ integer_to_list(Pid));
        _ -> ok
    end,
    %% a script whose output nobody reads ends when the pipe does, and it may never print anything
    Left = case How of deaf -> min(Limit, 3000); _ -> Limit end,
    case wait(Port, now_ms() + Left, Out) of
        {ended, Status, Text} -> judge(How, Status, Text, Script);
        Text when How =:= deaf -> end_tree(Pid), wait(Port, now_ms() + Limit, Text);
        Text -> io:format("did not end within ~b ms, by ~p: ~ts~n~ts~n", [Limit, How, Script, Text]), os:cmd("kill -KILL " ++ integer_to_list(Pid))
    end,
    ok.

end_tree(Pid) ->
    os:cmd(lists:concat(["for c in $(cat /proc/", Pid, "/task/", Pid, "/children); do kill -INT $c; done"])).

wait(_, _, {ended, _, _} = Ended) -> Ended;
wait(Port, Until, Text) ->
    receive
        {Port, {exit_status, S}} -> {ended, S, Text};
        {Port, {data, D}} -> wait(Port, Until, lists:sublist([D | Text], 50))
    after max(0, Until - now_ms()) -> Text
    end.

%% A script of the grammar is valid, so it must run. On a node that stands still for longer than 30 s it may fail with
%% that message. A signal before tracing begins ends the command as usual.
judge(How, Status, _, _) when Status =:= 0; How =:= kill, Status =:= 137; How =:= int, Status =:= 130; How =:= term, Status =:= 143; How =:= deaf -> ok;
judge(How, Status, Text, Script) ->
    Said = iolist_to_binary(lists:reverse(Text)),
    case re:run(Said, "did not answer within|was not enough|said nothing for|interrupted before tracing was on") of
        nomatch -> io:format("status ~b, by ~p: ~ts~n~ts~n", [Status, How, Script, Said]);
        _ -> ok
    end.

%% -- the grammar -----------------------------------------------------------------------------------------------------

%% On the kernel engine: for what it leaves behind.
kernel() ->
    ["profile:::profile-97 { @[execname] = count(); } ", "syscall::read:entry { @[execname] = quantize(arg2); self->t = timestamp; } ",
     "sched:::on-cpu { @[pid] = count(); } "].

script() ->
    lists:append(["dtrace:::BEGIN { x = 1; self->t = 0; self->i = 0; } "] ++ [clause() || _ <- lists:seq(1, rand:uniform(4))]
                 ++ [pick(["", "dtrace:::END { @a[\"end\"] = count(); printa(@a); }", "dtrace:::ERROR { @e[arg4] = count(); }"])]).

clause() ->
    {Probe, Kind} = pick(probes()),
    %% what is recorded goes to one place, so that speculations have clauses of their own
    Body = case rand:uniform(8) of
               1 -> "self->i = speculation(); ";
               2 -> "speculate(self->i); printf(\"%s\\n\", probename); ";
               3 -> pick(["commit(self->i); ", "discard(self->i); "]);
               _ -> lists:append([statement(Kind) || _ <- lists:seq(1, rand:uniform(3))])
           end,
    lists:append([Probe, pick(["", "", predicate(Kind)]), " { ", Body, "} "]).

%% What the first argument is, and whether another is a number.
probes() ->
    [{"erlang*:::" ++ P, text} || P <- ["process-exit", "process-spawn", "process-scheduled", "gc_minor-end", "gc_major-start", "process-link",
                                        "port-command", "code-load", "process-exit_signal"]]
        ++ [{"erlang*:::" ++ P, number} || P <- ["message-send", "message-queued"]]
        ++ [{"erlang*:" ++ P, term} || P <- ["soak_code:f/1:entry", "soak_code:f/1:return", "fuzz_load:f/1:entry", "fuzz_load:g/2:entry",
                                             "fuzz_load:g/2:return", "fuzz_load:h/3:exception", "lists:seq/2:entry"]]
        ++ [{"erlang*:fuzz_load:*:entry", any}, {"profile:::tick-50ms", timer}, {"profile:::profile-97", timer}].

predicate(term) -> pick([" /is_tuple(args[0])/", predicate(any)]);
predicate(text) -> pick([" /copyinstr(arg0) != \"x\"/", predicate(any)]);
predicate(number) -> pick([" /arg2 > 3/", predicate(text)]);
predicate(timer) -> pick([" /x/", " /x > 3/"]);
predicate(any) -> pick([" /self->t/", " /timestamp % 7 == 0/", " /vtimestamp > 100/", " /x/"]).

statement(Kind) ->
    lists:append([action(Kind), "; "]).

action(term) -> pick(["@k[args[0]] = count()", "trace(args[0])", "self->s = text(args[0])", "printf(\"%s %s\\n\", probefunc, text(args[0]))",
                      "@d[is_list(args[0])] = count()", "g[text(args[0])] = timestamp", action(any)]);
action(number) -> pick(["@q[probename] = quantize(arg2)", "@l = lquantize(arg2, 0, 100, 5)", "@s = stddev(arg2)", "this->y = 7 / (arg2 & 3)",
                        "h[copyinstr(arg0), arg2] = arg2", action(text)]);
action(text) -> pick(["@a[copyinstr(arg0)] = count()", "trace(copyinstr(arg0))", "trace(strjoin(copyinstr(arg0), \"x\"))",
                      "trace(substr(copyinstr(arg0), 2, 5))", "printf(\"%s %d\\n\", copyinstr(arg0), x)", action(any)]);
action(timer) -> pick(["x++", "@a[\"tick\"] = count()", "printf(\"%d\\n\", x)", "@t = max(timestamp)"]);
action(any) -> pick(["self->t = timestamp", "self->t = 0", "x = timestamp", "@m = max(vtimestamp)", "trace(eproc)", "@n[node] = count()", "stack()",
                     "ustack(5)", "@u[ustack()] = count()", "@st[stack(3)] = sum(1)", "@f[probefunc] = quantize(timestamp)", "this->z = 1 / (x - x)"]).

pick(List) -> lists:nth(rand:uniform(length(List)), List).
