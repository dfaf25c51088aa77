%% The names of processes, for people: the registered name, or else the label (OTP 27: proc_lib:set_label/1), or else
%% the function that it began with, and in parentheses the nearest ancestor that has a name: "shop_worker:init/1
%% (shop_sup)". Also those of tables of ETS, which are references if they are not named tables, and of ports: a socket is
%% named by its peer, "tcp 10.0.0.7:5432".
%%
%% A process answers a question for its dictionary only when it has time. So a separate process asks, and whoever wants
%% names waits for it only a moment: what has come by then is the answer, and the rest is there the next time.
-module(erltrace_names).

-export([start/0, stop/1, ask/2, find/1]).
-export([init/1]).

-define(PATIENCE, 200).  % ms
-define(HEAP, 262144). % words; of a process with more, the dictionary is not copied (before OTP 27 only whole)
-define(LONGEST, 120).   % bytes
-define(ANCESTORS, 5).

%% For the calling process alone; ends with it.
-spec start() -> pid().
start() ->
    _ = mfa({?MODULE, start, 0}), % loads the code that it needs now, and not while a script looks
    spawn_link(?MODULE, init, [self()]).

-spec stop(pid()) -> ok.
stop(Names) ->
    unlink(Names),
    Ref = erlang:monitor(process, Names),
    exit(Names, kill),
    %% its code may be about to be removed
    receive {'DOWN', Ref, process, _, _} -> ok end,
    receive {'EXIT', Names, _} -> ok after 0 -> ok end.

%% The name of each; <<>> if unknown: gone, not of this node, or too busy to answer.
-spec ask(pid(), [binary()]) -> [binary()].
ask(Names, Texts) ->
    Ref = make_ref(),
    Names ! {ask, Ref, Texts},
    Until = erlang:monotonic_time(millisecond) + ?PATIENCE,
    Known = collect(Names, Ref, Until, #{}),
    [maps:get(Text, Known, <<>>) || Text <- Texts].

%% The pid of the process of this name, or of this pid, if it lives; <<>> if there is none. Elixir's names may be written
%% as in Elixir. No atom is made.
-spec find(binary()) -> binary().
find(Text) ->
    Found = case re:run(Text, "^<?(0[.][0-9]+[.][0-9]+)>?$", [{capture, [1], list}]) of
                {match, [Pid]} -> living(Pid);
                nomatch -> [P || Name <- [Text, <<"Elixir.", Text/binary>>], P <- of_name(Name)]
            end,
    case Found of
        [P | _] -> list_to_binary(pid_to_list(P));
        [] -> <<>>
    end.

living(Text) ->
    try list_to_pid("<" ++ Text ++ ">") of
        Pid -> [Pid || erlang:is_process_alive(Pid)]
    catch
        error:badarg -> []
    end.

of_name(Name) ->
    try whereis(binary_to_existing_atom(Name, utf8)) of
        Pid when is_pid(Pid) -> [Pid];
        _ -> []
    catch
        error:badarg -> [];
        error:system_limit -> [] % longer than atoms are
    end.

collect(Names, Ref, Until, Known) ->
    receive
        {Names, Ref, done} -> Known;
        {Names, Ref, Text, Name} -> collect(Names, Ref, Until, Known#{Text => Name});
        {Names, _, _} -> collect(Names, Ref, Until, Known); % for a question that nobody waits for any more
        {Names, _, _, _} -> collect(Names, Ref, Until, Known)
    after max(0, Until - erlang:monotonic_time(millisecond)) ->
        Known
    end.

init(Asker) ->
    erltrace_session:hide(),
    loop(Asker).

loop(Asker) ->
    {Ref, Texts} = receive {ask, R, T} -> newest(R, T) end,
    [Asker ! {self(), Ref, Text, Name} || Text <- Texts, Name <- named(Text)],
    Asker ! {self(), Ref, done},
    loop(Asker).

%% If questions have piled up, only the last one is waited for.
newest(Ref, Texts) ->
    receive {ask, R, T} -> newest(R, T) after 0 -> {Ref, Texts} end.

named(Text) ->
    try thing(binary_to_list(Text)) of
        Thing when node(Thing) =:= node() -> [cut(Name) || Name <- name(Thing)];
        _ -> []
    catch
        error:badarg -> []
    end.

thing("#Ref" ++ _ = Text) -> list_to_ref(Text);
thing("#Port" ++ _ = Text) -> list_to_port(Text);
thing(Text) -> list_to_pid(Text).

cut(Name) ->
    Whole = unicode:characters_to_binary(Name),
    case byte_size(Whole) >= ?LONGEST of
        true -> <<(whole_characters(binary:part(Whole, 0, ?LONGEST - 3)))/binary, "...">>;
        false -> Whole
    end.

whole_characters(Bytes) ->
    case unicode:characters_to_binary(Bytes) of
        {incomplete, Whole, _} -> Whole;
        Whole -> Whole
    end.

name(Table) when is_reference(Table) ->
    try ets:info(Table, name) of
        undefined -> []; % gone
        Name -> [text(Name)]
    catch
        error:badarg -> [] % not a table
    end;
name(Port) when is_port(Port) ->
    case erlang:port_info(Port, name) of
        {name, "tcp_inet"} -> [socket("tcp", Port)];
        {name, "udp_inet"} -> [socket("udp", Port)];
        {name, Name} -> [Name];
        undefined -> []
    end;
name(Pid) ->
    case registered(Pid) of
        {ok, Name} -> [text(Name)];
        none -> [unregistered(Pid)];
        gone -> []
    end.

%% A socket without a peer listens, or gets from anybody.
socket(Kind, Port) ->
    case {prim_inet:peername(Port), prim_inet:sockname(Port)} of
        {{ok, Peer}, _} -> [Kind, " ", address(Peer)];
        {_, {ok, Own}} -> [Kind, " at ", address(Own)];
        _ -> Kind
    end.

address({Family, {Address, Port}}) when Family =:= inet; Family =:= inet6 -> address({Address, Port});
address({Address, Port}) when tuple_size(Address) =:= 4 -> [inet:ntoa(Address), ":", integer_to_list(Port)];
address({Address, Port}) when tuple_size(Address) =:= 8 -> ["[", inet:ntoa(Address), "]:", integer_to_list(Port)];
address(Other) -> text(Other).

registered(Pid) ->
    case process_info(Pid, registered_name) of
        {registered_name, Name} -> {ok, Name};
        [] -> none;
        undefined -> gone
    end.

unregistered(Pid) ->
    Entries = dictionary(Pid, ['$process_label', '$initial_call', '$ancestors']),
    Own = case Entries of
              #{'$process_label' := Label} -> text(Label);
              #{'$initial_call' := {M, F, A}} when is_atom(M), is_atom(F), is_integer(A) -> mfa({M, F, A});
              #{'$initial_call' := {M, F, Args}} when is_atom(M), is_atom(F), is_list(Args) -> mfa({M, F, length(Args)});
              _ -> began(Pid)
          end,
    case above(maps:get('$ancestors', Entries, [])) of
        {ok, Above} -> [Own, " (", text(Above), ")"];
        none -> Own
    end.

began(Pid) ->
    case process_info(Pid, initial_call) of
        {initial_call, MFA} -> mfa(MFA);
        undefined -> ""
    end.

above(Ancestors) when is_list(Ancestors) ->
    nearest(?ANCESTORS, Ancestors);
above(_) ->
    none.

nearest(N, [Name | _]) when N > 0, is_atom(Name) ->
    {ok, Name};
nearest(N, [Pid | Rest]) when N > 0, is_pid(Pid), node(Pid) =:= node() ->
    case registered(Pid) of
        {ok, Name} -> {ok, Name};
        _ -> nearest(N - 1, Rest)
    end;
nearest(_, _) ->
    none.

%% Some entries of the process's dictionary.
dictionary(Pid, Keys) ->
    case list_to_integer(erlang:system_info(otp_release)) >= 27 of
        true ->
            maps:from_list([{Key, Value} || Key <- Keys, {_, Value} <- [process_info(Pid, {dictionary, Key})], Value =/= undefined]);
        false ->
            case process_info(Pid, total_heap_size) of
                {total_heap_size, Words} when Words =< ?HEAP -> maps:with(Keys, whole_dictionary(Pid));
                _ -> #{}
            end
    end.

whole_dictionary(Pid) ->
    case process_info(Pid, dictionary) of
        {dictionary, All} -> maps:from_list(All);
        undefined -> #{}
    end.

mfa({M, F, A}) ->
    io_lib:format("~ts:~tw/~b", [text(M), F, A]).

%% Whatever it is, on one line and not long.
text(Term) when is_atom(Term) ->
    case atom_to_list(Term) of
        "Elixir." ++ Name -> elixir(Name, Term);
        _ -> io_lib:format("~tw", [Term])
    end;
text(Term) ->
    io_lib:format("~0tp", [Term], [{chars_limit, ?LONGEST}]).

%% Shop.Stock, as Elixir writes it; quoted like any atom if it is not written so there.
elixir([First | _] = Name, Term) when First >= $A, First =< $Z ->
    case lists:all(fun is_in_alias/1, Name) of
        true -> Name;
        false -> io_lib:format("~tw", [Term])
    end;
elixir(_, Term) ->
    io_lib:format("~tw", [Term]).

is_in_alias(C) ->
    (C >= $a andalso C =< $z) orelse (C >= $A andalso C =< $Z) orelse (C >= $0 andalso C =< $9) orelse C =:= $_ orelse C =:= $..
