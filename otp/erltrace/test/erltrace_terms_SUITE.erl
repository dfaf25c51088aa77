%% Random terms (PropEr): what D tells of them is what Erlang tells, and their text reads back as the same term.
-module(erltrace_terms_SUITE).
-include_lib("stdlib/include/assert.hrl").
-include_lib("proper/include/proper.hrl").

-compile([export_all, nowarn_export_all]).

-define(TYPES, [is_atom, is_binary, is_bitstring, is_boolean, is_float, is_function, is_integer, is_list, is_map, is_number, is_pid,
                is_port, is_reference, is_tuple]).

all() ->
    [text_reads_back, types_and_sizes, any_term, as_much_as_the_options_say].

end_per_testcase(_, _) ->
    erltrace_test:finish().

%% A property of terms, some hundred of them with one script.
check(Program, Term, Holds) ->
    {module, shop} = code:ensure_loaded(shop),
    H = erltrace_test:start(Program, [binary, {strsize, 16384}, {bufsize, "16m"}, {maxoverhead, 0}]),
    Property = ?FORALL(Terms, ?LET(N, range(1, 20), vector(N, Term)),
                       begin
                           Numbered = lists:zip(lists:seq(1, length(Terms)), Terms),
                           [shop:look(N, T) || {N, T} <- Numbered],
                           Told = told(H, length(Terms), []),
                           [] =:= [{T, Text} || {N, T} <- Numbered, Text <- [maps:get(N, Told)], not Holds(T, Text)]
                       end),
    ?assert(proper:quickcheck(Property, [{numtests, 40}, {to_file, user}, quiet])),
    ok = erltrace:close(H).

%% By number: what follows it.
told(_, Left, Told) when Left =< 0 ->
    maps:from_list(Told);
told(H, Left, Told) ->
    New = case erltrace:consume(H) of
              ok -> timer:sleep(1), [];
              {ok, Records} -> [begin
                                    [N, Text] = binary:split(Line, <<"|">>),
                                    {binary_to_integer(N), Text}
                                end || {printf, _, Line} <- Records]
          end,
    told(H, Left - length(New), New ++ Told).

%% -- terms

leaf() ->
    oneof([integer(), range(-(1 bsl 63), (1 bsl 63) - 1), float(), boolean(), binary(), [], <<>>, {}, '', #{},
           oneof([ok, 'Odd one', 'it\'s', 'new\nline', 'back\\slash', '\x{e9}t\x{e9}', '\x{4e2d}\x{6587}', 'end', '$gen_call', 'a@b_1']),
           ?LET(L, list(range(0, 255)), L),
           ?LET(L, list(range($\s, $~)), L),
           ?LET(L, list(range($\s, $~)), list_to_binary(L)),
           ?LET(L, list(range(16#400, 16#4ff)), unicode:characters_to_binary(L))]).

known(0) -> leaf();
known(N) ->
    Part = ?LAZY(known(N - 1)),
    oneof([leaf(), list(Part), ?LET(L, list(Part), list_to_tuple(L)), ?LET({A, B}, {non_empty(list(Part)), Part}, lists:foldr(fun(X, T) -> [X | T] end, B, A)),
           ?LET(L, list({Part, Part}), maps:from_list(L)), {Part, Part, Part}]).

%% And what only this VM knows, or has no syntax.
strange() ->
    oneof([known(2), any(), bitstring(), ?LET(N, range(64, 3000), -(1 bsl N)), ?LET(_, integer(), make_ref()), ?LET(_, integer(), self()),
           ?LET(X, any(), fun() -> X end), fun lists:map/2, ?LET(_, integer(), hd(erlang:ports())),
           ?LET({N, X}, {range(1, 2000), leaf()}, lists:foldl(fun(_, A) -> [A] end, X, lists:seq(1, N)))]).

%% -- properties

text_reads_back(_) ->
    check("erlang*:shop:look/2:entry { printf(\"%d|%s\", args[0], args[1]); }", known(2),
          fun(T, Text) -> byte_size(Text) > 4090 orelse read(Text) =:= T end). % longer ones are cut

read(Text) ->
    Chars = case unicode:characters_to_list(Text) of
                L when is_list(L) -> L;
                _ -> binary_to_list(Text)
            end,
    case erl_scan:string(Chars ++ ".") of
        {ok, Tokens, _} ->
            case erl_parse:parse_term(Tokens) of
                {ok, T} -> T;
                Error -> Error
            end;
        Error -> Error
    end.

types_and_sizes(_) ->
    Asked = [io_lib:format("~s(args[1])", [F]) || F <- ?TYPES],
    Program = ["erlang*:shop:look/2:entry { printf(\"%d|", lists:duplicate(length(?TYPES), "%d "), "%d\", args[0], ", lists:join(", ", Asked),
               ", is_tuple(args[1]) ? tuple_size(args[1]) : is_map(args[1]) ? map_size(args[1]) : is_binary(args[1]) ? byte_size(args[1]) : -1); }"],
    check(lists:flatten(Program), strange(), fun(T, Text) -> numbers(Text) =:= [number(erlang:F(T)) || F <- ?TYPES] ++ [size_of(T)] end).

numbers(Text) -> [binary_to_integer(N) || N <- binary:split(Text, <<" ">>, [global])].

number(true) -> 1;
number(false) -> 0.

size_of(T) when is_tuple(T) -> tuple_size(T);
size_of(T) when is_map(T) -> map_size(T);
size_of(T) when is_binary(T) -> byte_size(T);
size_of(_) -> -1.

%% Whatever it is: a text comes, of bounded length, and faults are counted and harm nobody.
any_term(_) ->
    check("erlang*:shop:look/2:entry { printf(\"%d|%s\", args[0], args[1]); } "
          "erlang*:shop:look/2:entry { @ = sum(term_int(args[1])); } erlang*:shop:look/2:entry { @h[hd(args[1])] = count(); } "
          "erlang*:shop:look/2:entry { @t[text(tl(args[1]))] = count(); } erlang*:shop:look/2:entry { @l = max(length(args[1])); } "
          "erlang*:shop:look/2:entry { @e[element(2, args[1])] = count(); } erlang*:shop:look/2:entry { @m[map_get(args[1], args[1])] = count(); } "
          "erlang*:shop:look/2:entry { @a[atom(args[1])] = count(); } erlang*:shop:look/2:entry { @b[binary(args[1])] = count(); } "
          "erlang*:shop:look/2:entry { @k[is_map_key(\"id\", args[1])] = count(); } "
          "ERROR { @f = count(); }", strange(),
          fun(_, Text) -> byte_size(Text) > 0 andalso byte_size(Text) < 16384 end).

as_much_as_the_options_say(_) ->
    {module, shop} = code:ensure_loaded(shop),
    [begin
         H = erltrace_test:start("erlang*:shop:look/2:entry { printf(\"%d|%d\", args[0], length(args[1])); }", [binary | Options]),
         shop:look(1, lists:seq(1, 20000)),
         ?assertEqual({Options, #{1 => Length}}, {Options, told(H, 1, [])}),
         ok = erltrace:close(H)
     end || {Options, Length} <- [{[{termparts, 256}], <<"4294967295">>}, {[], <<"20000">>}, {[{termparts, 65536}], <<"20000">>}]].
