%% ct.escript BUILD LOGDIR SUITES: runs Common Test suites; the last line printed is "passed failed skipped".
main([Build, Logs, Suites]) ->
    Dir = filename:join([Build, "test", "ct"]),
    Source = filename:absname(Suites),
    ok = filelib:ensure_dir(filename:join(Dir, "x")),
    ok = filelib:ensure_dir(filename:join(Logs, "x")),
    code:add_patha(Dir),
    code:add_patha(filename:join([Build, "otp", "erltrace", "ebin"])),
    [{ok, _} = compile:file(F, [{outdir, Dir}, report, debug_info, nowarn_export_all])
     || F <- filelib:wildcard(filename:join(Source, "*.erl"))],
    Names = [list_to_atom(filename:basename(F, ".beam")) || F <- filelib:wildcard(filename:join(Dir, "*_SUITE.beam"))],
    case ct:run_test([{dir, Dir}, {suite, Names}, {logdir, Logs}, {auto_compile, false}, {abort_if_missing_suites, true},
                      {event_handler, []}]) of
        {Ok, Failed, {Skipped, Auto}} ->
            io:format("~n~b ~b ~b~n", [Ok, Failed, Skipped + Auto]),
            halt(min(Failed, 1));
        {error, Reason} ->
            io:format("~p~n0 1 0~n", [Reason]),
            halt(1)
    end.
