%% An agent: one script on this node, for one client. The client is the
%% erltrace command, connected as a hidden node, or a process of this node.
%%
%% The client sends {erltrace, From, Ref, Request} and gets {Ref, Reply}. When
%% the client, its node or the connection goes away, or says nothing for 30 s, the agent ends
%% and with it everything that it switched on.
-module(erltrace_agent).

-export([start/2, info/0]).
-export([init/2]).

-define(SILENCE, 30000).

-record(state, {client :: pid(),
                handle :: reference() | undefined,
                hub :: pid() | undefined,
                patterns = [] :: list(),
                joined = false :: boolean()}).

%% Starts an agent for Client; Path is the library without ".so".
-spec start(pid(), file:filename()) -> {ok, pid()} | {error, binary()}.
start(Client, Path) ->
    case erltrace_tracer:load(Path) of
        ok ->
            {ok, spawn(?MODULE, init, [Client, self()])};
        {error, {Reason, Text}} ->
            {error, iolist_to_binary(io_lib:format("the library ~ts could not be loaded: ~p: ~ts", [Path, Reason, Text]))}
    end.

%% What a client wants to know of the node before it compiles.
-spec info() -> map().
info() ->
    #{os_pid => list_to_integer(os:getpid()),
      otp_release => list_to_binary(erlang:system_info(otp_release)),
      flavor => erlang:system_info(emu_flavor),
      schedulers => erlang:system_info(schedulers),
      node => atom_to_binary(node(), utf8)}.

init(Client, _Starter) ->
    process_flag(trap_exit, true),
    erlang:monitor(process, Client),
    node(Client) =:= node() orelse erlang:monitor_node(node(Client), true),
    erltrace_tracer:node(atom_to_binary(node(), utf8)),
    loop(#state{client = Client}).

loop(#state{client = Client} = S) ->
    receive
        {erltrace, From, Ref, Request} ->
            {Reply, S1} = try request(Request, S)
                          catch Class:Reason:Stack -> {{error, failed(Class, Reason, Stack)}, S}
                          end,
            From ! {Ref, Reply},
            case Request of
                close -> finish(S1);
                _ -> loop(S1)
            end;
        {'DOWN', _, process, Client, _} ->
            finish(S);
        {nodedown, _} ->
            finish(S);
        _ ->
            loop(S)
    after ?SILENCE ->
        finish(S)
    end.

failed(Class, Reason, Stack) ->
    iolist_to_binary(io_lib:format("~p:~p at ~p", [Class, Reason, lists:sublist(Stack, 3)])).

finish(#state{handle = Handle, hub = Hub, joined = Joined}) ->
    Handle =:= undefined orelse erltrace_tracer:stop(Handle),
    Joined andalso erltrace_hub:leave(Hub),
    Handle =:= undefined orelse erltrace_tracer:close(Handle),
    ok.

request({open, Object, Conf}, #state{handle = undefined} = S) ->
    case erltrace_tracer:open(Object, Conf, self()) of
        {ok, Handle} -> {ok, S#state{handle = Handle}};
        Error -> {Error, S}
    end;
request({bind, Bindings}, S) ->
    bind(Bindings, [], S);
request(start, #state{handle = Handle} = S) ->
    case erltrace_tracer:start(Handle) of
        ok -> {{ok, erltrace_tracer:epids(Handle)}, S};
        Error -> {Error, S}
    end;
request({fire, Index}, #state{handle = Handle} = S) ->
    {erltrace_tracer:fire(Handle, Index), S};
request(go, #state{handle = Handle, patterns = Patterns} = S) ->
    case erltrace_tracer:go(Handle) of
        ok ->
            Hub = erltrace_hub:ensure(),
            case erltrace_hub:join(Hub, erltrace_tracer:wants(Handle), Patterns) of
                {ok, Info} -> {{ok, Info}, S#state{hub = Hub, joined = true}};
                Error -> {Error, S}
            end;
        Error ->
            {Error, S}
    end;
request(work, #state{handle = Handle} = S) ->
    Status = erltrace_tracer:status(Handle),
    {{Status, erltrace_tracer:drain(Handle), erltrace_tracer:snap(Handle)}, S};
request(stop, #state{handle = Handle, hub = Hub, joined = Joined} = S) ->
    erltrace_tracer:stop(Handle),
    Joined andalso erltrace_hub:leave(Hub),
    {ok, S#state{joined = false}};
request({functions, Module, Function}, S) ->
    {{ok, functions(Module, Function)}, S};
request(close, S) ->
    {ok, S};
request(_, S) ->
    {{error, <<"the agent does not know this request">>}, S}.

bind([], Indexes, S) ->
    {{ok, lists:reverse(Indexes)}, S};
bind([{Id, Names, Clause} | Rest], Indexes, #state{handle = Handle} = S) ->
    case erltrace_tracer:bind(Handle, Id, Names, Clause) of
        {ok, Index} ->
            case lists:member(Index, Indexes) orelse subscribe(Index, Names, S) of
                true -> bind(Rest, [Index | Indexes], S);
                #state{} = S1 -> bind(Rest, [Index | Indexes], S1);
                Error -> {Error, S}
            end;
        Error ->
            {Error, S}
    end.

%% An erlang probe: by its classic name, or a function by name.
subscribe(Index, {<<"erlang", _/binary>>, <<>>, <<>>, Name}, #state{handle = Handle} = S) ->
    case erltrace_tracer:subscribe(Handle, Index, Name) of
        ok -> S#state{patterns = wide_patterns(Name) ++ S#state.patterns};
        Error -> Error
    end;
subscribe(Index, {<<"erlang", _/binary>>, Module, Function, Name}, #state{handle = Handle} = S) ->
    {M, F, A} = MFA = mfa(Module, Function),
    {Sort, Wants} = case Name of
                        <<"entry">> -> {0, []};
                        <<"return">> -> {1, [caller]};
                        <<"exception">> -> {2, [exception]}
                    end,
    case erltrace_tracer:subscribe(Handle, Index, {Sort, M, F, A, native(MFA)}) of
        ok -> S#state{patterns = [{MFA, Wants} | S#state.patterns]};
        Error -> Error
    end;
subscribe(_, _, S) ->
    S.

%% Probes that mean every function.
wide_patterns(<<"function-entry">>) -> [{{'_', '_', '_'}, []}];
wide_patterns(<<"local-function-entry">>) -> [{{'_', '_', '_'}, [caller]}];
wide_patterns(<<"global-function-entry">>) -> [{{'_', '_', '_'}, [caller]}];
wide_patterns(<<"function-return">>) -> [{{'_', '_', '_'}, [caller]}];
wide_patterns(_) -> [].

mfa(Module, Function) ->
    {F, A} = split_arity(Function),
    {binary_to_atom(full_name(Module), utf8), binary_to_atom(F, utf8), A}.

%% Elixir's modules may be written as Elixir writes them.
full_name(<<"Elixir.", _/binary>> = Module) -> Module;
full_name(<<C, _/binary>> = Module) when C >= $A, C =< $Z -> <<"Elixir.", Module/binary>>;
full_name(Module) -> Module.

split_arity(Function) ->
    [A | F] = lists:reverse(binary:split(Function, <<"/">>, [global])),
    {iolist_to_binary(lists:join(<<"/">>, lists:reverse(F))), binary_to_integer(A)}.

native({M, F, A}) ->
    case erlang:is_builtin(M, F, A) of
        true -> 1;
        false -> case is_nif(M, F, A) of true -> 2; false -> 0 end
    end.

is_nif(M, F, A) ->
    try lists:member({F, A}, M:module_info(nifs))
    catch _:_ -> false
    end.

%% Functions of loaded modules whose names match two globs, as {Module, Function/Arity} texts.
functions(Name, Function) ->
    Module = full_name(Name),
    Exact = catch binary_to_existing_atom(Module, utf8),
    Modules = case is_atom(Exact) andalso not has_glob(Module) of
                  true -> code:ensure_loaded(Exact), [Exact];
                  false -> [M || {M, _} <- code:all_loaded(), glob(Module, atom_to_binary(M, utf8))]
              end,
    [{atom_to_binary(M, utf8), Text}
     || M <- Modules,
        not own_module(M),
        {F, A} <- all_functions(M),
        Text <- [<<(atom_to_binary(F, utf8))/binary, $/, (integer_to_binary(A))/binary>>],
        glob(Function, Text)].

all_functions(M) ->
    try M:module_info(functions)
    catch _:_ -> []
    end.

own_module(M) -> lists:prefix("erltrace", atom_to_list(M)).

has_glob(B) -> binary:match(B, [<<"*">>, <<"?">>, <<"[">>]) =/= nomatch.

glob(<<>>, _) -> true;
glob(Pattern, Text) ->
    Regex = ["^", [glob_char(C) || <<C/utf8>> <= Pattern], "$"],
    re:run(Text, unicode:characters_to_binary(Regex), [unicode, {capture, none}]) =:= match.

glob_char($*) -> ".*";
glob_char($?) -> ".";
glob_char(C) when C =:= $[; C =:= $]; C =:= $- -> [C];
glob_char(C) -> ["\\x{", integer_to_list(C, 16), "}"].
