%% Trace patterns: on functions that scripts name, on the few that have their own probes (c_src/special.h), and on
%% sending and receiving.
%%
%% Before OTP 27 a function has one pattern, whoever sets it. Patterns of other tools stay, also if a script is about
%% all functions: before anything changes, each function is asked whether its pattern is the one that we have set. Only
%% if a tool sets the very same specification over ours, the two cannot be distinguished.
-module(erltrace_patterns).

-export([new/1, are_patterns/1, update/3, kept/3, again/2, touched/3, clear/1, natives/0]).
-export_type([pattern/0, state/0]).

%% What the match specification must give: caller (who called), level (the same, unless the library knows without: see
%% erltrace_levels), stack (of the caller, from OTP 26 on), exception (how it
%% ended), return (the value; breaks tail calls of that function), {special, What}.
-type want() :: caller | level | stack | exception | return | {special, atom()}.
-type pattern() :: {mfa() | {atom(), '_', '_'} | {'_', '_', '_'}, [want()]}.

-define(AT_ONCE, 50000). % functions: some 25 ms

-record(patterns, {session :: erltrace_session:session(),
                   set = #{} :: #{tuple() => [want()]},
                   named = #{} :: #{module() => [{mfa(), [want()]}]}, % those of set that are on one function, by module
                   just = all :: all | [module()], % code may have been replaced while their patterns were set: all functions are asked
                   foreign = #{} :: #{mfa() => true}, % functions whose pattern is another tool's
                   send = none :: term(),            % none if unchanged
                   'receive' = none :: term(),
                   natives = false :: boolean()}).
-opaque state() :: #patterns{}.

-spec new(erltrace_session:session()) -> state().
new(Session) ->
    #patterns{session = Session}.

%% Returns whether update/3 can use them.
-spec are_patterns(term()) -> boolean().
are_patterns([{{M, F, A}, Wants} | Rest]) when is_atom(M), is_atom(F), A =:= '_' orelse is_integer(A) andalso A >= 0 andalso A =< 255 ->
    are_wants(Wants) andalso are_patterns(Rest);
are_patterns(Patterns) ->
    Patterns =:= [].

are_wants([Want | Rest]) -> lists:member(Want, [caller, level, stack, exception, return]) andalso are_wants(Rest);
are_wants(Wants) -> Wants =:= [].

%% Notes say what is not possible, and which wants that concerns.
-spec update([atom()], [pattern()], state()) -> {state(), [{[atom()], binary()}]}.
update(Wants, Patterns, P) ->
    Wanted = merge(special(Wants, Patterns) ++ Patterns),
    P1 = set_functions(Wanted, P),
    Session = P#patterns.session,
    {Send, Notes2} = set_event(Session, send, send_spec(Wants), P1#patterns.send),
    {Receive, Notes3} = set_event(Session, 'receive', receive_spec(Wants), P1#patterns.'receive'),
    P3 = P1#patterns{send = Send, 'receive' = Receive},
    {set_natives(Wants, P3), Notes2 ++ Notes3}.

%% Notes for a script that wants these.
-spec kept([atom()], [pattern()], state()) -> [binary()].
kept(_, _, #patterns{foreign = Foreign}) when map_size(Foreign) =:= 0 ->
    [];
kept(Wants, Patterns, #patterns{foreign = Foreign}) ->
    Meant = merge(special(Wants, Patterns) ++ Patterns),
    kept_note(length([MFA || MFA <- maps:keys(Foreign), maps:is_key(MFA, Meant) orelse is_covered(MFA, Meant)])).

%% A module was loaded, perhaps again; undefined if it is not known which. New code has no patterns, so a function of it
%% that has one got it from another tool meanwhile, or from us if we are told twice; and one whose pattern was another
%% tool's is like the others now.
-spec again(module() | undefined, state()) -> state().
again(Module, #patterns{session = Session, set = Set, foreign = Foreign} = P) ->
    Missing = [One || {_, Its} <- new_code(Module, P), {MFA, _} = One <- Its, not erltrace_session:is_traced(Session, MFA)],
    Covered = case Set of
                  #{{'_', '_', '_'} := Wants} -> [{M, cover(M, match_spec(Wants), Session)} || M <- new_modules(Module, P)];
                  _ -> []
              end,
    set_patterns(Session, [{MFA, match_spec(Wants)} || {MFA, Wants} <- Missing]),
    P#patterns{foreign = maps:without(lists:append([Without || {_, Without} <- Covered]), Foreign),
               just = lists:usort([M || {M, [_ | _]} <- Covered] ++ [M || {{M, _, _}, _} <- Missing])}.

%% Returns the functions that had no pattern.
cover(M, Spec, Session) ->
    {Kept, Without} = lists:partition(fun(MFA) -> erltrace_session:is_traced(Session, MFA) end, functions(M)),
    set_wide(Session, {M, '_', '_'}, Spec, maps:from_list([{MFA, true} || MFA <- Kept])),
    Without.

%% The patterns on single functions of code that may be new. There may be very many, so one of each module is asked.
new_code(undefined, #patterns{named = Named} = P) ->
    [One || {M, [{First, _} | _]} = One <- maps:to_list(Named), is_new(M, First, P)];
new_code(Module, #patterns{named = Named}) ->
    maps:to_list(maps:with([Module], Named)).

%% Every module has this function.
new_modules(undefined, P) -> [M || M <- erlang:loaded(), is_new(M, {M, module_info, 0}, P)];
new_modules(Module, _) -> [Module].

is_new(M, Function, #patterns{session = Session, just = Just}) ->
    Just =:= all orelse lists:member(M, Just) orelse not erltrace_session:is_traced(Session, Function).

%% Everything that is set and that update/3 would set, for clear/1 when nobody else knows it any more.
-spec touched([atom()], [pattern()], state()) -> term().
touched(_, _, #patterns{session = {own, _}}) ->
    none; % goes with the session
touched(Wants, Patterns, #patterns{session = Session, set = Set, foreign = Foreign} = P) ->
    Wanted = with_covering(merge(special(Wants, Patterns) ++ Patterns)),
    New = maps:filter(fun(MFA, _) -> maps:is_key(MFA, Set) orelse not is_foreign(Session, MFA, Set, Foreign) end, Wanted),
    Events = [send || P#patterns.send =/= none orelse send_spec(Wants) =/= none]
        ++ ['receive' || P#patterns.'receive' =/= none orelse receive_spec(Wants) =/= none],
    {Set, New, maps:keys(Foreign), Events}.

-spec clear(term()) -> ok.
clear({Set, New, Foreign, Events}) ->
    Specs = lists:usort([spec_told(Wants) || Wants <- maps:values(Set) ++ maps:values(New)]),
    All = maps:merge(Set, New),
    IsForeign = fun(MFA) ->
                        case actual(shared, MFA) of
                            {How, Spec} -> How =:= global orelse not lists:member(Spec, Specs);
                            none -> false
                        end
                end,
    Theirs = maps:from_list([{MFA, true} || MFA <- Foreign ++ reached(IsForeign, maps:keys(All), true)]),
    {Wide, Narrow} = lists:partition(fun is_wide/1, maps:keys(All)),
    [set_wide(shared, MFA, false, Theirs) || MFA <- Wide],
    [erltrace_session:function(shared, MFA, false) || MFA <- Narrow, not maps:is_key(MFA, Theirs)],
    lists:foreach(fun(Event) -> clear_event(shared, Event) end, Events);
clear(_) ->
    ok.

%% -- functions

%% One entry for each function, with all that anybody wants to know of it.
merge(Patterns) ->
    Level = [caller || lists:any(fun({_, Wants}) -> lists:member(level, Wants) end, Patterns), not erltrace_levels:are_known()],
    lists:foldl(
        fun({MFA, Wants0}, Acc) ->
                Wants = case lists:member(level, Wants0) of
                            true -> Level ++ (Wants0 -- [level]);
                            false -> Wants0
                        end,
                maps:update_with(MFA, fun(Old) -> lists:usort(Wants ++ Old) end, lists:usort(Wants), Acc)
        end,
        #{},
        Patterns).

%% Loading of code is also watched for the patterns themselves, because new code has none.
special(Wants0, Patterns) ->
    Wants = [reload || Patterns =/= [] orelse lists:any(fun(W) -> lists:member(W, Wants0) end, [user, loads, request_starts])] ++ Wants0,
    [{MFA, [{special, What}]}
     || {Want, MFAs} <- [{exit_signals, [{exit, {erlang, exit, 2}}]},
                         {hibernate, [{hibernate, {erlang, hibernate, 3}}]},
                         {code, [{delete, {erlang, delete_module, 1}},
                                 {purge, {erts_internal, purge_module, 2}},
                                 {load, {erlang, load_module, 2}},
                                 {load, {erlang, finish_loading, 1}}]},
                         {reload, [{load, {erlang, load_module, 2}},
                                   {load, {erlang, finish_loading, 1}}]},
                         {loads, [{prepare, {erlang, prepare_loading, 2}}]},
                         %% where behaviours take up a message; the names differ by OTP release
                         {request_starts, [{callback, {gen_server, try_handle_call, 4}},
                                           {event, {gen_statem, loop_receive_result, 4}},
                                           {event, {gen_statem, loop_msg, 4}},
                                           {message, {gen_server2, handle_msg, 2}}]},
                         {user, [{user, {dyntrace, user_trace_s1, 1}},
                                 {user, {dyntrace, user_trace_i4s4, 9}},
                                 {user, {dyntrace, user_trace_n, 10}}]}],
        lists:member(Want, Wants),
        {What, MFA} <- MFAs].

%% A narrow pattern replaces a wide one, so it must give what that would give.
with_covering(All) ->
    WideOnes = wide_ones(All),
    maps:map(fun(MFA, Wants) -> lists:usort(Wants ++ covering(MFA, WideOnes)) end, All).

wide_ones(All) ->
    maps:filter(fun(MFA, _) -> is_wide(MFA) end, All).

set_functions(All, #patterns{session = Session, set = Set} = P) ->
    WideOnes = wide_ones(All),
    Wanted = with_covering(All),
    Gone = maps:without(maps:keys(Wanted), Set),
    %% a wide pattern that goes, comes or changes takes narrow ones with it
    Again = lists:any(fun is_wide/1, maps:keys(Gone))
        orelse lists:any(fun(MFA) -> maps:get(MFA, Wanted) =/= maps:get(MFA, Set, none) end, maps:keys(WideOnes)),
    Foreign = find_foreign(Again, maps:keys(maps:merge(Wanted, Set)), P),
    Ours = fun({MFA, _}) -> not maps:is_key(MFA, Foreign) end,
    Kept = maps:merge(Foreign, that_stay(Wanted, Set)),
    {GoneWide, GoneNarrow} = lists:partition(fun is_wide/1, maps:keys(Gone)),
    [set_wide(Session, MFA, false, Kept) || MFA <- GoneWide],
    set_patterns(Session, lists:filter(Ours, [{MFA, case is_covered(MFA, WideOnes) of
                                                        true -> match_spec(covering(MFA, WideOnes));
                                                        false -> false
                                                    end} || MFA <- GoneNarrow])),
    %% the widest first: each replaces what is narrower
    {Narrow, Wide} = lists:partition(fun({MFA, _}) -> not is_wide(MFA) end, maps:to_list(Wanted)),
    Taken = lists:filter(Ours, Narrow),
    Change = fun({MFA, Wants}) -> Again orelse maps:get(MFA, Set, none) =/= Wants end,
    {AllModules, OneModule} = lists:partition(fun({{M, _, _}, _}) -> M =:= '_' end, Wide),
    [set_wide(Session, MFA, match_spec(Wants), Kept) || {MFA, Wants} = New <- AllModules ++ OneModule, Change(New)],
    set_patterns(Session, [{MFA, match_spec(Wants)} || {MFA, Wants} = New <- Taken, Change(New)]),
    P#patterns{set = maps:from_list(Wide ++ Taken), named = by_module(Taken), just = all, foreign = Foreign}.

%% Functions that a script names, and that have a pattern all the time while another script comes or goes.
that_stay(Wanted, Set) ->
    maps:from_list([{MFA, true} || {MFA, Wants} <- maps:to_list(Wanted), not is_wide(MFA), maps:is_key(MFA, Set),
                                   Wants =:= [] orelse not lists:all(fun is_special/1, Wants)]).

is_special({special, _}) -> true;
is_special(_) -> false.

%% If nothing must stay as it is, a wide pattern is set at once. Otherwise it is set around those functions: their
%% patterns, another tool's or those of another script, never go away, not even for a moment. For all functions at once
%% the VM holds a scheduler until it is done, about half a microsecond each. So if there are very many it is done module
%% by module, which takes much longer when the machine is busy. Removing is four times as fast.
set_wide(Session, {'_', _, _} = All, Spec, Kept) ->
    case map_size(Kept) =:= 0 andalso (Spec =:= false orelse count_functions() =< ?AT_ONCE) of
        true -> erltrace_session:function(Session, All, Spec);
        false -> erltrace_session:collect(fun(M) -> set_wide(Session, {M, '_', '_'}, Spec, Kept), [] end, erlang:loaded())
    end;
set_wide(Session, MFA, Spec, Kept) when map_size(Kept) =:= 0 ->
    erltrace_session:function(Session, MFA, Spec);
set_wide(Session, {M, Name, _} = Wide, Spec, Kept) ->
    All = [MFA || {_, F, _} = MFA <- functions(M), Name =:= '_' orelse F =:= Name],
    case [MFA || MFA <- All, not maps:is_key(MFA, Kept)] of
        All -> erltrace_session:function(Session, Wide, Spec);
        Others -> set_each(Session, [{MFA, Spec} || MFA <- Others])
    end.

count_functions() ->
    lists:sum(erltrace_session:collect(fun(M) -> [length(functions(M))] end, erlang:loaded())).

%% Each pattern that is set makes all schedulers of the node take notice, several times. So as few as possible are set.
set_patterns(Session, New) ->
    maps:foreach(fun(Module, Its) -> erltrace_session:look(), set_module(Session, Module, Its) end, by_module(New)).

by_module(Patterns) ->
    lists:foldl(
        fun({{M, _, _}, _} = One, Acc) -> maps:update_with(M, fun(Others) -> [One | Others] end, [One], Acc) end,
        #{},
        Patterns).

%% What most functions get is set at once on all that share a name. If nobody has a pattern on any other function, it is
%% set on the whole module, and removed from those that are not meant. But not if returns are traced: each turn of a
%% loop in such a function would meanwhile leave something on its stack.
set_module(Session, Module, New) ->
    All = functions(Module),
    {Spec, Most, Rest} = most(New),
    Narrow = by_name(Most, All),
    Others = ordsets:subtract(All, ordsets:from_list([MFA || {MFA, _} <- New])),
    Back = [{Name, false} || Spec =/= false, Name <- by_name(Others, All)],
    IsFree = fun(MFA) -> not erltrace_session:is_traced(Session, MFA) end,
    case length(Narrow) > 1 + length(Back) andalso not tells_returns(Spec) andalso lists:all(IsFree, Others) of
        true ->
            Reached = erltrace_session:function(Session, {Module, '_', '_'}, Spec),
            set_each(Session, case Reached =:= length(All) of
                                  true -> Back;
                                  false -> [{{Module, '_', '_'}, false} | New] % the code has just changed
                              end);
        false ->
            set_each(Session, [{Name, Spec} || Name <- Narrow])
    end,
    set_each(Session, Rest).

tells_returns(Spec) when is_boolean(Spec) -> false;
tells_returns(Spec) -> lists:any(fun({_, _, Body}) -> Body -- [{return_trace}, {exception_trace}] =/= Body end, Spec).

%% The specification that most get, which functions those are, and the others with theirs.
most(New) ->
    BySpec = lists:foldl(
                 fun({MFA, Spec}, Acc) -> maps:update_with(Spec, fun(MFAs) -> [MFA | MFAs] end, [MFA], Acc) end,
                 #{},
                 New),
    {_, Spec} = lists:max([{length(MFAs), S} || {S, MFAs} <- maps:to_list(BySpec)]),
    {Spec, ordsets:from_list(maps:get(Spec, BySpec)), [Other || {_, S} = Other <- New, S =/= Spec]}.

%% The fewest patterns that match exactly these functions of a module.
by_name(MFAs, All) ->
    Names = fun(List) -> lists:foldl(fun({_, F, _}, Acc) -> maps:update_with(F, fun(N) -> N + 1 end, 1, Acc) end, #{}, List) end,
    Here = Names(ordsets:intersection(MFAs, All)),
    Exist = Names(All),
    lists:usort([case {Here, Exist} of
                     {#{F := N}, #{F := N}} when N > 1 -> {M, F, '_'};
                     _ -> MFA
                 end || {M, F, _} = MFA <- MFAs]).

set_each(Session, New) ->
    lists:foreach(fun({MFA, Spec}) -> erltrace_session:function(Session, MFA, Spec) end, New).

functions(Module) ->
    try lists:sort([{Module, F, A} || {F, A} <- erlang:get_module_info(Module, functions)])
    catch _:_ -> []
    end.

is_wide({_, '_', _}) -> true;
is_wide({_, _, '_'}) -> true;
is_wide(_) -> false.

%% What the wide patterns on the function give.
covering({M, _, _}, Wide) ->
    lists:usort(maps:get({'_', '_', '_'}, Wide, []) ++ maps:get({M, '_', '_'}, Wide, [])).

%% Returns whether what is set on the function is our own wide pattern.
is_covered({M, _, _}, Set) ->
    maps:is_key({'_', '_', '_'}, Set) orelse maps:is_key({M, '_', '_'}, Set).

%% -- what other tools have set

%% Of the functions that a change can reach, those that have another tool's pattern. All functions of a node are asked
%% only if a wide pattern changes.
find_foreign(_, _, #patterns{session = {own, _}}) ->
    #{};
find_foreign(Again, Patterns, #patterns{session = Session, set = Set, foreign = Before}) ->
    More = case Again of
               true -> [];
               false -> maps:keys(Before)
           end,
    IsForeign = fun(MFA) -> is_foreign(Session, MFA, Set, Before) end,
    maps:from_list([{MFA, true} || MFA <- reached(IsForeign, More ++ Patterns, Again)]).

%% The functions that the patterns reach and for which Fun returns true.
reached(Fun, Patterns, AlsoWide) ->
    Wide = lists:usort([M || {M, _, _} = MFA <- Patterns, AlsoWide, is_wide(MFA)]),
    Modules = case lists:member('_', Wide) of
                  true -> erlang:loaded();
                  false -> Wide
              end,
    Named = erltrace_session:each(Fun, lists:usort([MFA || MFA <- Patterns, not is_wide(MFA)])),
    lists:usort(Named ++ erltrace_session:collect(fun(M) -> lists:filter(Fun, functions(M)) end, Modules)).

%% Returns whether the function's pattern is not the one that we have set.
is_foreign(Session, MFA, Set, Before) ->
    case not erltrace_session:is_own(Session) andalso not is_wide(MFA) andalso actual(Session, MFA) of
        {local, Spec} -> maps:is_key(MFA, Before) orelse expected(MFA, Set) =/= Spec;
        {global, _} -> true;
        _ -> false
    end.

actual(Session, MFA) ->
    case not is_wide(MFA) andalso erltrace_session:pattern(Session, MFA) of
        false -> none;
        Pattern -> Pattern
    end.

%% What we have set on the function, as the VM reports it, or none.
expected({M, _, _} = MFA, Set) ->
    case Set of
        #{MFA := Wants} -> spec_told(Wants);
        #{{M, '_', '_'} := _} -> spec_told(covering(MFA, Set));
        #{{'_', '_', '_'} := _} -> spec_told(covering(MFA, Set));
        _ -> none
    end.

spec_told(Wants) ->
    case match_spec(Wants) of
        true -> [];
        Spec -> Spec
    end.

kept_note(0) -> [];
kept_note(1) -> [<<"1 function keeps the trace pattern of another tool: calls of it may be missing">>];
kept_note(N) -> [<<(integer_to_binary(N))/binary, " functions keep the trace patterns of another tool: calls of them may be missing">>].

match_spec([]) ->
    true;
match_spec(Wants) ->
    Ends = [{exception_trace} || lists:member(exception, Wants)]
        ++ [{return_trace} || lists:member(return, Wants), not lists:member(exception, Wants)],
    Caller = case lists:member(stack, Wants) of
                 true -> {{{caller}, {current_stacktrace}}};
                 false -> {caller}
             end,
    Plain = {'_', [], [{message, Caller} || lists:member(caller, Wants)] ++ Ends},
    Quiet = {'_', [], [{message, false}]},
    Others = [W || W <- Wants, not is_tuple(W)],
    Rest = case Others of [] -> Quiet; _ -> Plain end,
    case lists:keyfind(special, 1, Wants) of
        false ->
            [Plain];
        {special, load} ->
            {Head, Guards, Body} = Rest,
            [{Head, Guards, Body ++ [{return_trace} || Ends =:= []]}];
        {special, exit} ->
            [{['$1', '$2'], [], [tell(Caller, {{exit, '$1', {node, '$1'}, '$2'}}) | Ends]}];
        {special, hibernate} ->
            [{['$1', '$2', '$3'], [], [tell(Caller, {{hibernate, {{'$1', '$2', {length, '$3'}}}}}) | Ends]}];
        {special, user} ->
            [{'_', [], [tell(Caller, {{user, '$_'}}) | Ends]}];
        {special, callback} -> % the last is the order of OTP 25 to 28
            Returned = [{return_trace} || Ends =:= []] ++ Ends,
            [{['$1', '_', '$4', {'$2', '$3'}], [{is_pid, '$2'}, {is_tuple, '$1'}, {'=:=', {element, 1, '$1'}, server_data}],
              [tell(Caller, {{request, '$2', '$3', '$4'}}) | Returned]},
             {['_', '$4', {'$2', '$3'}, '_'], [{is_pid, '$2'}], [tell(Caller, {{request, '$2', '$3', '$4'}}) | Returned]},
             Rest];
        {special, event} -> % an event, or the message itself
            [{['_', '_', '_', {{call, {'$1', '$2'}}, '$3'}], [], [tell(Caller, {{request, '$1', '$2', '$3'}}) | Ends]},
             {['_', '_', '_', {'$gen_call', {'$1', '$2'}, '$3'}], [], [tell(Caller, {{request, '$1', '$2', '$3'}}) | Ends]},
             {'_', [], [tell(Caller, {{request}}) | Ends]}];
        {special, message} ->
            [{[{'$gen_call', {'$1', '$2'}, '$3'}, '_'], [], [tell(Caller, {{request, '$1', '$2', '$3'}}) | Ends]},
             {'_', [], [tell(Caller, {{request}}) | Ends]}];
        {special, prepare} ->
            [{['$1', '_'], [], [tell(Caller, {{code, prepare, '$1'}}) | Ends]}];
        {special, delete} ->
            [{['$1'], [], [tell(Caller, {{code, delete, '$1'}}) | Ends]}];
        {special, purge} ->
            [{['$1', complete], [], [tell(Caller, {{code, purge, '$1'}}) | Ends]}, Rest]
    end.

tell(Caller, What) ->
    {message, {{erltrace, What, Caller}}}.

%% -- sending and receiving

%% The receiver's node and the sequential-trace token, if a script looks at them. For requests to servers alone, other
%% messages are not looked at.
send_spec(Wants) ->
    case {lists:member(token, Wants), lists:member(sends, Wants)} of
        {true, _} -> [{['$1', '_'], [{'orelse', {is_pid, '$1'}, {is_reference, '$1'}}], [{message, [{node, '$1'}, {get_seq_token}]}]},
                      {'_', [], [{message, [undefined, {get_seq_token}]}]}];
        {false, true} -> none;
        {false, false} -> spec([request_sends], ['_'], Wants)
    end.

%% For exit signals and replies of servers alone, not every message is looked at.
receive_spec(Wants) ->
    case lists:member(messages, Wants) of
        true -> none;
        false -> spec([exit_signals, request_replies], ['_', '_'], Wants)
    end.

spec(Kinds, Before, Wants) ->
    case [{Before ++ [Message], Guards, []} || Kind <- Kinds, lists:member(Kind, Wants), {Message, Guards} <- kind(Kind)] of
        [] -> none;
        Spec -> Spec
    end.

%% A reply has the tag of its request: a reference, or a list with an alias in it.
kind(exit_signals) -> [{{'EXIT', '_', '_'}, []}];
kind(request_sends) -> [{{'$gen_call', {'_', '_'}, '_'}, []} | kind(request_replies)];
kind(request_replies) -> [{{'$1', '_'}, [{is_reference, '$1'}]}, {{['_' | '_'], '_'}, []}].

set_event(_, _, Spec, Spec) ->
    {Spec, []};
set_event(Session, Event, none, _) ->
    clear_event(Session, Event),
    {none, []};
set_event(shared, Event, Spec, none) ->
    case erlang:trace_info(Event, match_spec) of
        {match_spec, true} ->
            erltrace_session:event(shared, Event, Spec),
            {Spec, []};
        _ ->
            Text = atom_to_binary(Event, utf8),
            {none, [{[Event], <<"another tool has set a trace pattern for ", Text/binary,
                                ": some messages and all tokens may be missing">>}]}
    end;
set_event(Session, Event, Spec, _) ->
    erltrace_session:event(Session, Event, Spec),
    {Spec, []}.

%% All that send_spec/1 and receive_spec/1 may have set.
specs() ->
    [send_spec(W) || W <- [[token], [request_sends]]]
        ++ [receive_spec(W) || W <- [[exit_signals], [request_replies], [exit_signals, request_replies]]].

%% Unless it is another tool's by now.
clear_event(shared, Event) ->
    case erlang:trace_info(Event, match_spec) of
        {match_spec, Spec} when is_list(Spec) ->
            lists:member(Spec, specs()) andalso erltrace_session:event(shared, Event, true),
            ok;
        _ ->
            ok
    end;
clear_event(Session, Event) ->
    erltrace_session:event(Session, Event, true),
    ok.

%% -- BIFs and NIFs

set_natives(Wants, #patterns{natives = Told} = P) ->
    Needed = lists:member(natives, Wants),
    Needed andalso not Told andalso erltrace_session:pieces(fun erltrace_tracer:natives/1, natives()),
    P#patterns{natives = Needed}.

%% {Module, Function, Arity, 1: BIF, 2: NIF} of all loaded modules.
-spec natives() -> [{module(), atom(), arity(), 1 | 2}].
natives() ->
    erltrace_session:collect(
        fun(M) -> [{M, F, A, 1} || {F, A} <- exports(M), erlang:is_builtin(M, F, A)] ++ [{M, F, A, 2} || {F, A} <- nifs(M)] end,
        [M || M <- erlang:loaded(), not lists:prefix("erltrace", atom_to_list(M))]).

exports(M) ->
    try erlang:get_module_info(M, exports) catch _:_ -> [] end.

nifs(M) ->
    try erlang:get_module_info(M, nifs) catch _:_ -> [] end.
