%% The examples of docs/erlang-api.md, each block in turn as in a shell of its own. DOCS is the folder.
-module(erltrace_docs_SUITE).
-include_lib("common_test/include/ct.hrl").

-compile([export_all, nowarn_export_all]).

all() -> [examples].

examples(_) ->
    {ok, Text} = file:read_file(filename:join(os:getenv("DOCS"), "erlang-api.md")),
    Blocks = blocks(string:split(Text, "\n", all), []),
    true = length(Blocks) >= 8,
    [run(Block) || Block <- Blocks],
    {comment, integer_to_list(length(Blocks)) ++ " blocks"}.

blocks([<<"```erlang">> | Rest], Found) ->
    {Block, [_ | Rest1]} = lists:splitwith(fun(Line) -> Line =/= <<"```">> end, Rest),
    blocks(Rest1, [lists:join("\n", Block) | Found]);
blocks([_ | Rest], Found) ->
    blocks(Rest, Found);
blocks([], Found) ->
    lists:reverse(Found).

%% In a process of its own, which has no handles and no tag.
run(Block) ->
    {_, Ref} = spawn_monitor(fun() -> expressions(unicode:characters_to_list([Block, "\n"]), erl_eval:new_bindings()) end),
    receive
        {'DOWN', Ref, process, _, normal} -> ok;
        {'DOWN', Ref, process, _, Reason} -> ct:pal("~ts~n~p", [Block, Reason]), ct:fail(Reason)
    after 60000 ->
        ct:fail({too_long, Block})
    end,
    erltrace_test:wait(fun erltrace_test:is_clean/0).

expressions(Text, Bindings) ->
    case erl_scan:tokens([], Text, 1) of
        {done, {ok, Tokens, _}, Rest} ->
            {ok, Parsed} = erl_parse:parse_exprs(Tokens),
            {value, _, Bindings1} = erl_eval:exprs(Parsed, Bindings),
            expressions(Rest, Bindings1);
        _ ->
            ok
    end.
