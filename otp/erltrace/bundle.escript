#!/usr/bin/env escript
%% bundle.escript FOLDER [+OPTION…] BEAM…: writes to FOLDER the two modules that attaching sends to a node:
%% erltrace_tracer, and erltrace_agent with all other modules of the agent in it. Options are the compiler's, such as +r25:
%% code that OTP 25 can load.
%%
%% They are removed from the node when the last script ends. For each module that goes, the VM asks every process of the
%% node whether it uses it, and a waiting process is woken up for that: 15 modules and 300,000 processes take the node
%% 10 to 20 seconds of CPU time. Two take a seventh of that.
%%
%% A function of another module than erltrace_agent is called 'MODULE.FUNCTION' in it. Calls and funs that name their
%% module and function are changed, and so are spawn, spawn_link, spawn_monitor and spawn_opt with both. Other ways to
%% name a function cannot be seen here: a call whose module or function is a variable is refused.
-mode(compile).

-define(TARGET, erltrace_agent).
-define(ALONE, [erltrace_tracer]). % has the library

main([Folder | Words]) ->
    {Said, Files} = lists:splitwith(fun(Word) -> hd(Word) =:= $+ end, Words),
    Options = [list_to_atom(Option) || "+" ++ Option <- Said],
    Modules = [{list_to_atom(filename:basename(File, ".beam")), File} || File <- Files],
    Names = [M || {M, _} <- Modules] -- ?ALONE,
    Parts = [{M, forms(File)} || {M, File} <- Modules, lists:member(M, Names)],
    Conflicts = conflicts(Parts),
    {Exports, Records, Functions} =
        lists:unzip3([part(M, Forms, Names, Conflicts) || {M, Forms} <- Parts]),
    Bundle = [{attribute, 1, module, ?TARGET}, {attribute, 1, export, lists:append(Exports)}]
        ++ unique(lists:append(Records)) ++ lists:append(Functions),
    {ok, ?TARGET, Code, Warnings} = compile:forms(Bundle, [return, deterministic | Options]),
    [fail("~p", [W]) || W <- Warnings],
    [write(Folder, M, stripped(element(2, {ok, _} = file:read_file(File)))) || {M, File} <- Modules, lists:member(M, ?ALONE)],
    write(Folder, ?TARGET, stripped(Code)).

write(Folder, Module, Bytes) ->
    File = filename:join(Folder, atom_to_list(Module) ++ ".beam"),
    ok = filelib:ensure_dir(File),
    ok = file:write_file(File, Bytes).

stripped(Code) ->
    {ok, {_, Bytes}} = beam_lib:strip(Code),
    Bytes.

forms(File) ->
    case beam_lib:chunks(File, [abstract_code]) of
        {ok, {_, [{abstract_code, {raw_abstract_v1, Forms}}]}} -> Forms;
        _ -> fail("~ts has no debug information", [File])
    end.

fail(Format, Args) ->
    io:format(standard_error, "bundle.escript: " ++ Format ++ "~n", Args),
    halt(1).

%% Names of records that several modules have of their own. Those of OTP's header files have one meaning for all.
conflicts(Parts) ->
    All = lists:append([lists:usort([Name || {attribute, _, record, {Name, _}} <- Forms]) || {_, Forms} <- Parts]),
    lists:usort(All -- lists:usort(All)).

unique(Records) ->
    maps:values(maps:from_list([{Name, R} || {attribute, _, record, {Name, _}} = R <- Records])).

part(Module, Forms, Names, Conflicts) ->
    Env = #{module => Module, names => Names, conflicts => Conflicts,
            local => maps:from_list([{{F, A}, true} || {function, _, F, A, _} <- Forms])},
    {[{name(Module, F), A} || {attribute, _, export, Its} <- Forms, {F, A} <- Its],
     [{attribute, L, record, {record(Name, Env), walk([untyped(F) || F <- Fields], Env)}}
      || {attribute, L, record, {Name, Fields}} <- Forms],
     [{function, L, name(Module, F), A, walk(Clauses, Env)} || {function, L, F, A, Clauses} <- Forms]}.

name(?TARGET, Function) -> Function;
name(Module, Function) -> list_to_atom(atom_to_list(Module) ++ "." ++ atom_to_list(Function)).

record(Name, #{module := Module, conflicts := Conflicts}) ->
    case lists:member(Name, Conflicts) of
        true -> name(Module, Name);
        false -> Name
    end.

untyped({typed_record_field, Field, _}) -> Field;
untyped(Field) -> Field.

walk({call, L, {atom, L1, F}, Args0}, #{module := Module, local := Local} = Env) ->
    Args = walk(Args0, Env),
    case Local of
        #{{F, length(Args0)} := true} -> {call, L, {atom, L1, name(Module, F)}, Args};
        _ -> {call, L, {atom, L1, F}, spawned(F, Args, Env)}
    end;
walk({call, L, {remote, L1, {atom, L2, M}, {atom, L3, F}}, Args}, Env) ->
    {M1, F1} = where(M, F, Env),
    {call, L, {remote, L1, {atom, L2, M1}, {atom, L3, F1}}, walk(Args, Env)};
walk({call, L, {remote, _, _, _}, _}, #{module := Module}) ->
    fail("~s, line ~p: the call does not name its module and function", [Module, erl_anno:line(L)]);
walk({'fun', L, {function, F, A}}, #{module := Module, local := Local}) ->
    {'fun', L, {function, case Local of #{{F, A} := true} -> name(Module, F); _ -> F end, A}};
walk({'fun', L, {function, {atom, L1, M}, {atom, L2, F}, A}}, Env) ->
    {M1, F1} = where(M, F, Env),
    {'fun', L, {function, {atom, L1, M1}, {atom, L2, F1}, A}};
walk({record, L, Name, Fields}, Env) ->
    {record, L, record(Name, Env), walk(Fields, Env)};
walk({record, L, Value, Name, Fields}, Env) ->
    {record, L, walk(Value, Env), record(Name, Env), walk(Fields, Env)};
walk({record_field, L, Value, Name, Field}, Env) ->
    {record_field, L, walk(Value, Env), record(Name, Env), walk(Field, Env)};
walk({record_index, L, Name, Field}, Env) ->
    {record_index, L, record(Name, Env), walk(Field, Env)};
walk(Form, Env) when is_tuple(Form) ->
    list_to_tuple(walk(tuple_to_list(Form), Env));
walk([First | Rest], Env) ->
    [walk(First, Env) | walk(Rest, Env)];
walk(Other, _) ->
    Other.

where(M, F, #{names := Names}) ->
    case lists:member(M, Names) of
        true -> {?TARGET, name(M, F)};
        false -> {M, F}
    end.

spawned(Spawn, [{atom, L1, M}, {atom, L2, F} | Rest], Env)
  when Spawn =:= spawn; Spawn =:= spawn_link; Spawn =:= spawn_monitor; Spawn =:= spawn_opt ->
    {M1, F1} = where(M, F, Env),
    [{atom, L1, M1}, {atom, L2, F1} | Rest];
spawned(_, Args, _) ->
    Args.
