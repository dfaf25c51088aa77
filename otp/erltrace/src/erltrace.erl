%% DTrace inside an application: D scripts on the node that runs this code, or on another.
%%
%%     {ok, H} = erltrace:open(),
%%     ok = erltrace:compile(H, "erlang*:lists:seq/2:entry { @[copyinstr(arg0)] = count(); }"),
%%     ok = erltrace:go(H),
%%     ...
%%     {ok, [{count, ["<0.85.0>"], 17}]} = erltrace:walk(H),
%%     ok = erltrace:stop(H),
%%     ok = erltrace:close(H).
%%
%% A handle belongs to the process that opened it and dies with it; others may
%% use it. Nothing of the compiler and the consumer runs in this VM.
%% docs/erlang-api.md tells the whole.
-module(erltrace).

-export([open/0, open/1, script/1, setopt/3, compile/2, compile/3, go/1, consume/1, walk/1, walk/2, aggclear/1, stop/1,
         close/1, list/1, list/2, status/1, version/0]).
-export([start_link/2, subscribe/1, subscribe/2, unsubscribe/1]).
-export([p/0, p/1, p/2, p/3, p/4, p/5, p/6, p/7, p/8,
         pn/1, pn/2, pn/3, pn/4, pn/5, pn/6, pn/7, pn/8, pn/9,
         put_tag/1, get_tag/0, get_tag_data/0, spread_tag/1, restore_tag/1, user_trace_s1/1]).

-export_type([handle/0, tag_state/0, option/0, text/0, error/0, probe/0, consumed/0, aggregation/0, element/0]).

%% Key of the process dictionary, and mark of tokens that carry a tag.
-define(TAG, '$erltrace_tag').

-opaque handle() :: pid().
-opaque tag_state() :: {binary() | undefined, term()}.
-type text() :: string() | binary().
-type option() :: binary                                % strings in answers are binaries, not lists
                | {strings, binary | list}
                | {erltrace, file:filename()}           % the command that compiles and consumes
                | {node, node()} | {cookie, atom() | text()}  % another node, which needs nothing of erltrace
                | {nodes, [node()]} | {join, boolean() | hidden}  % several nodes together
                | {untraced, [pid() | port()]}          % never traced by this script
                | zdefs | {zdefs, boolean()}            % descriptions may match nothing
                | alerts | {alerts, boolean()}          % alert() gives {alert, Map}, as alerts over aggregations do
                | cpp | {cpp, boolean()}                % programs go through the C preprocessor
                | atom() | {atom() | text(), option_value()}.  % D options: quiet, {bufsize, "8m"}, ...
-type option_value() :: boolean() | atom() | integer() | iodata().
-type where() :: {Line :: pos_integer(), Column :: pos_integer()} | atom().
-type error() :: {error, {dtrace, where(), text()}}.
-type probe() :: {Provider :: text(), Module :: text(), Function :: text(), Name :: text()}.
-type value() :: integer() | text() | [text()].
-type consumed() :: {probe, probe(), value() | [value()] | undefined}
                | {printf | printa | print | alert, probe(), text()}
                | {alert, #{status := firing | again | resolved, level := info | warning | error | critical, key := text(),
                            text := text(), place := text(), values := [value()], node => node(), probe => probe(),
                            condition => text(), value => integer(), limit => integer(), unit => text()}}
                | {stack | ustack | jstack, probe(), [text()]}
                | {exit, probe(), integer()}
                | {fault, probe(), text()}
                | {drop, atom(), pos_integer()}
                | {notice, untraced | overhead | lost | node, text()}
                | {node, node(), consumed()}.  % of several nodes
-type aggregation() :: atom().  % the name of the aggregating function: count, sum, quantize, ...
-type buckets() :: [{{Low :: integer(), High :: integer()}, Count :: integer()}].
-type element() :: {aggregation(), Keys :: [value()], integer() | buckets()}.
-type named_element() :: {Name :: text(), aggregation(), Keys :: [value()], integer() | buckets()}.

%% -- handles ---------------------------------------------------------------------------------------------------------

-spec open() -> {ok, handle()} | error().
open() ->
    open([]).

-spec open([option()]) -> {ok, handle()} | error().
open(Options) when is_list(Options) ->
    {Own, Commands} = lists:foldl(fun option/2, {#{}, []}, Options),
    case erltrace_handle:open(self(), Own) of
        {ok, H} ->
            Modes = [{mode, binaries} || maps:get(binaries, Own, false)],
            %% some options say how to attach
            case run(H, Modes ++ lists:reverse([attach(Own) | Commands])) of
                ok ->
                    {ok, H};
                Error ->
                    erltrace_handle:close(H),
                    Error
            end;
        Error ->
            Error
    end.

%% This node has an agent for us. For other nodes the helper program does what the command does with -N.
attach(#{nodes := Nodes} = Own) ->
    Join = case Own of
               #{join := true} -> visible;
               #{join := hidden} -> hidden;
               _ -> <<>>
           end,
    {connect_all, [atom_to_binary(N, utf8) || N <- Nodes], cookie(Nodes, Own), Join};
attach(#{node := Node} = Own) ->
    {connect, atom_to_binary(Node, utf8), cookie([Node], Own)};
attach(_) ->
    {attach, atom_to_binary(node(), utf8), list_to_integer(os:getpid())}.

cookie(_, #{cookie := Given}) -> option_text(Given);
cookie([Node | _], _) ->
    case erlang:get_cookie(Node) of
        nocookie -> <<>>;
        Cookie -> Cookie
    end;
cookie([], _) -> <<>>.

option(binary, {Own, Commands}) -> {Own#{binaries => true}, Commands};
option({strings, binary}, {Own, Commands}) -> {Own#{binaries => true}, Commands};
option({strings, list}, {Own, Commands}) -> {Own#{binaries => false}, Commands};
option({erltrace, Path}, {Own, Commands}) -> {Own#{program => text(Path)}, Commands};
option({untraced, Pids}, {Own, Commands}) -> {Own#{untraced => Pids ++ maps:get(untraced, Own, [])}, Commands};
option({node, Node}, {Own, Commands}) when Node =:= node() -> {maps:remove(node, Own), Commands};
option({node, Node}, {Own, Commands}) when is_atom(Node) -> {Own#{node => Node}, Commands};
option({nodes, Nodes}, {Own, Commands}) when is_list(Nodes) -> {Own#{nodes => Nodes}, Commands};
option({join, Join}, {Own, Commands}) when is_boolean(Join); Join =:= hidden -> {Own#{join => Join}, Commands};
option(join, Acc) -> option({join, true}, Acc);
option({cookie, Cookie}, {Own, Commands}) -> {Own#{cookie => Cookie}, Commands};
option({Mode, true}, Acc) when Mode =:= zdefs; Mode =:= cpp; Mode =:= alerts -> option(Mode, Acc);
option({Mode, false}, Acc) when Mode =:= zdefs; Mode =:= cpp; Mode =:= alerts -> Acc;
option(Mode, {Own, Commands}) when Mode =:= zdefs; Mode =:= cpp; Mode =:= alerts -> {Own, [{mode, Mode} | Commands]};
option({_, false}, Acc) -> Acc;
option({Name, Value}, {Own, Commands}) -> {Own, [setopt_command(Name, Value) | Commands]};
option(Name, {Own, Commands}) when is_atom(Name) -> {Own, [setopt_command(Name, true) | Commands]}.

text(Path) when is_binary(Path) -> unicode:characters_to_list(Path);
text(Path) -> lists:flatten(Path).

run(_, []) -> ok;
run(H, [Command | Rest]) ->
    case erltrace_handle:command(H, Command) of
        ok -> run(H, Rest);
        Error -> Error
    end.

%% Opens a handle with a program in it, not started yet. The program is D or the terms of erltrace_script.
-spec script(iodata() | erltrace_script:script()) -> {ok, handle()} | error().
script(Program) ->
    {ok, H} = open(),
    case compile(H, Program) of
        ok ->
            {ok, H};
        Error ->
            close(H),
            Error
    end.

%% D's options by DTrace's names: setopt(H, bufsize, "8m"), setopt(H, quiet, true).
-spec setopt(handle(), atom() | text(), option_value()) -> ok | error().
setopt(H, Name, Value) ->
    erltrace_handle:command(H, setopt_command(Name, Value)).

setopt_command(Name, Value) -> {setopt, option_text(Name), option_text(Value)}.

option_text(V) when is_atom(V); is_integer(V) -> V;
option_text(V) -> to_binary(V).

%% D source, or the terms of erltrace_script. Several programs may be compiled before go/1.
-spec compile(handle(), iodata() | erltrace_script:script()) -> ok | error().
compile(H, Program) ->
    compile(H, Program, []).

%% Arguments are the macro arguments $1, $2, ...
-spec compile(handle(), iodata() | erltrace_script:script(), [atom() | integer() | iodata()]) -> ok | error().
compile(H, Program, Arguments) ->
    case source(Program) of
        {ok, Source} -> erltrace_handle:command(H, {compile, Source, [option_text(A) || A <- Arguments]});
        {error, Text} -> erltrace_handle:refuse(H, compile, Text)
    end.

source(Program) ->
    try
        {ok, to_binary(case is_text(Program) of
                           true -> Program;
                           false -> erltrace_script:compile(Program)
                       end)}
    catch
        error:Reason ->
            Wrong = case Reason of
                        {badscript, Term} -> Term;
                        _ -> Program
                    end,
            Text = io_lib:format("~0tP is neither D source nor a term of erltrace_script", [Wrong, 20]),
            {error, lists:flatten(Text)}
    end.

is_text(B) when is_binary(B) -> true;
is_text([H | T]) -> (is_integer(H) orelse is_text(H)) andalso is_text(T);
is_text([]) -> true;
is_text(_) -> false.

to_binary(Text) ->
    case unicode:characters_to_binary(Text) of
        B when is_binary(B) -> B;
        _ -> iolist_to_binary(Text)
    end.

%% BEGIN has run when this returns, and the probes are on.
-spec go(handle()) -> ok | error().
go(H) -> erltrace_handle:command(H, go).

%% What was recorded since the last time.
-spec consume(handle()) -> ok | {ok, [consumed()]} | error().
consume(H) -> erltrace_handle:command(H, consume).

%% What was aggregated since the last time.
-spec walk(handle()) -> ok | {ok, [element()]} | error().
walk(H) -> walk(H, []).

%% names: elements include the aggregation's name, {Name, Agg, Keys, Value}; {only, Names}: only these; keep: the next
%% walk gives the same values again.
-spec walk(handle(), [names | keep | {only, [atom() | text()]}]) -> ok | {ok, [element()] | [named_element()]} | error().
walk(H, Options) ->
    erltrace_handle:command(H, {walk, [walk_option(O) || O <- Options]}).

walk_option({only, Names}) -> {only, [option_text(N) || N <- Names]};
walk_option(Option) -> Option.

%% Forgets all values.
-spec aggclear(handle()) -> ok | error().
aggclear(H) -> erltrace_handle:command(H, aggclear).

%% END has run when this returns; consume/1 and walk/1 still give what was gathered.
-spec stop(handle()) -> ok | error().
stop(H) -> erltrace_handle:command(H, stop).

-spec close(handle()) -> ok.
close(H) -> erltrace_handle:close(H).

%% All probes.
-spec list(handle()) -> {ok, [probe()]} | error().
list(H) -> list(H, "").

%% Those that match a description as D writes it: list(H, "erlang*:lists:*/2:entry").
-spec list(handle(), iodata()) -> {ok, [probe()]} | error().
list(H, Description) -> erltrace_handle:command(H, {list, to_binary(Description)}).

-spec status(handle()) -> #{state := open | running | exited | filled | stopped,
                            exit_status := integer(), unread := non_neg_integer()} | error().
status(H) ->
    case erltrace_handle:command(H, status) of
        {ok, State, Exit, Unread} -> #{state => State, exit_status => Exit, unread => Unread};
        Error -> Error
    end.

-spec version() -> string().
version() ->
    application:load(erltrace),
    {ok, Version} = application:get_key(erltrace, vsn),
    Version.

%% -- scripts that run by themselves ----------------------------------------------------------------------------------

%% A process that runs a script and hands on what it gives: see erltrace_runner. For supervisors.
-spec start_link(iodata() | erltrace_script:script(), [erltrace_runner:option()]) -> {ok, pid()} | {error, term()}.
start_link(Program, Options) ->
    erltrace_runner:start_link(Program, [{to, self()} | Options]).

%% The same under the application's own supervisor, for as long as the calling process lives.
-spec subscribe(iodata() | erltrace_script:script()) -> {ok, pid()} | {error, term()}.
subscribe(Program) ->
    subscribe(Program, []).

-spec subscribe(iodata() | erltrace_script:script(), [erltrace_runner:option()]) -> {ok, pid()} | {error, term()}.
subscribe(Program, Options) ->
    case application:ensure_all_started(erltrace) of
        {ok, _} -> erltrace_sup:start_runner(Program, [{to, self()}, {owner, self()} | Options]);
        {error, _} = Error -> Error
    end.

-spec unsubscribe(pid()) -> ok.
unsubscribe(Runner) ->
    erltrace_runner:stop(Runner).

%% -- own probes ------------------------------------------------------------------------------------------------------
%%
%% p/0..8 fire erlang*:::user_trace-i4s4, pn/1..9 erlang*:::user_trace-nN: up to four integers, then up to four
%% io-lists. The answer is true while a script has the probe enabled, otherwise false. As in dyntrace, a value of the
%% wrong type arrives as 0 or NULL.

-type arg() :: integer() | iodata().
-type n() :: 0..950.
-type answer() :: boolean() | error | badarg.

-spec p() -> answer().
p() ->
    fire(undef, undef, undef, undef, undef, undef, undef, undef).

-spec p(arg()) -> answer().
p(I1) when is_integer(I1) ->
    fire(I1, undef, undef, undef, undef, undef, undef, undef);
p(S1) ->
    fire(undef, undef, undef, undef, S1, undef, undef, undef).

-spec p(arg(), arg()) -> answer().
p(I1, I2) when is_integer(I1), is_integer(I2) ->
    fire(I1, I2, undef, undef, undef, undef, undef, undef);
p(I1, S1) when is_integer(I1) ->
    fire(I1, undef, undef, undef, S1, undef, undef, undef);
p(S1, S2) ->
    fire(undef, undef, undef, undef, S1, S2, undef, undef).

-spec p(arg(), arg(), arg()) -> answer().
p(I1, I2, I3) when is_integer(I1), is_integer(I2), is_integer(I3) ->
    fire(I1, I2, I3, undef, undef, undef, undef, undef);
p(I1, I2, S1) when is_integer(I1), is_integer(I2) ->
    fire(I1, I2, undef, undef, S1, undef, undef, undef);
p(I1, S1, S2) when is_integer(I1) ->
    fire(I1, undef, undef, undef, S1, S2, undef, undef);
p(S1, S2, S3) ->
    fire(undef, undef, undef, undef, S1, S2, S3, undef).

-spec p(arg(), arg(), arg(), arg()) -> answer().
p(I1, I2, I3, I4) when is_integer(I1), is_integer(I2), is_integer(I3), is_integer(I4) ->
    fire(I1, I2, I3, I4, undef, undef, undef, undef);
p(I1, I2, I3, S1) when is_integer(I1), is_integer(I2), is_integer(I3) ->
    fire(I1, I2, I3, undef, S1, undef, undef, undef);
p(I1, I2, S1, S2) when is_integer(I1), is_integer(I2) ->
    fire(I1, I2, undef, undef, S1, S2, undef, undef);
p(I1, S1, S2, S3) when is_integer(I1) ->
    fire(I1, undef, undef, undef, S1, S2, S3, undef);
p(S1, S2, S3, S4) ->
    fire(undef, undef, undef, undef, S1, S2, S3, S4).

-spec p(arg(), arg(), arg(), arg(), arg()) -> answer().
p(I1, I2, I3, I4, S1) when is_integer(I1), is_integer(I2), is_integer(I3), is_integer(I4) ->
    fire(I1, I2, I3, I4, S1, undef, undef, undef);
p(I1, I2, I3, S1, S2) when is_integer(I1), is_integer(I2), is_integer(I3) ->
    fire(I1, I2, I3, undef, S1, S2, undef, undef);
p(I1, I2, S1, S2, S3) when is_integer(I1), is_integer(I2) ->
    fire(I1, I2, undef, undef, S1, S2, S3, undef);
p(I1, S1, S2, S3, S4) when is_integer(I1) ->
    fire(I1, undef, undef, undef, S1, S2, S3, S4).

-spec p(arg(), arg(), arg(), arg(), arg(), arg()) -> answer().
p(I1, I2, I3, I4, S1, S2) when is_integer(I1), is_integer(I2), is_integer(I3), is_integer(I4) ->
    fire(I1, I2, I3, I4, S1, S2, undef, undef);
p(I1, I2, I3, S1, S2, S3) when is_integer(I1), is_integer(I2), is_integer(I3) ->
    fire(I1, I2, I3, undef, S1, S2, S3, undef);
p(I1, I2, S1, S2, S3, S4) when is_integer(I1), is_integer(I2) ->
    fire(I1, I2, undef, undef, S1, S2, S3, S4).

-spec p(arg(), arg(), arg(), arg(), arg(), arg(), arg()) -> answer().
p(I1, I2, I3, I4, S1, S2, S3) when is_integer(I1), is_integer(I2), is_integer(I3), is_integer(I4) ->
    fire(I1, I2, I3, I4, S1, S2, S3, undef);
p(I1, I2, I3, S1, S2, S3, S4) when is_integer(I1), is_integer(I2), is_integer(I3) ->
    fire(I1, I2, I3, undef, S1, S2, S3, S4).

-spec p(arg(), arg(), arg(), arg(), arg(), arg(), arg(), arg()) -> answer().
p(I1, I2, I3, I4, S1, S2, S3, S4) when is_integer(I1), is_integer(I2), is_integer(I3), is_integer(I4) ->
    fire(I1, I2, I3, I4, S1, S2, S3, S4).

-spec pn(n()) -> answer().
pn(N) ->
    fire_n(N, undef, undef, undef, undef, undef, undef, undef, undef).

-spec pn(n(), arg()) -> answer().
pn(N, I1) when is_integer(I1) ->
    fire_n(N, I1, undef, undef, undef, undef, undef, undef, undef);
pn(N, S1) ->
    fire_n(N, undef, undef, undef, undef, S1, undef, undef, undef).

-spec pn(n(), arg(), arg()) -> answer().
pn(N, I1, I2) when is_integer(I1), is_integer(I2) ->
    fire_n(N, I1, I2, undef, undef, undef, undef, undef, undef);
pn(N, I1, S1) when is_integer(I1) ->
    fire_n(N, I1, undef, undef, undef, S1, undef, undef, undef);
pn(N, S1, S2) ->
    fire_n(N, undef, undef, undef, undef, S1, S2, undef, undef).

-spec pn(n(), arg(), arg(), arg()) -> answer().
pn(N, I1, I2, I3) when is_integer(I1), is_integer(I2), is_integer(I3) ->
    fire_n(N, I1, I2, I3, undef, undef, undef, undef, undef);
pn(N, I1, I2, S1) when is_integer(I1), is_integer(I2) ->
    fire_n(N, I1, I2, undef, undef, S1, undef, undef, undef);
pn(N, I1, S1, S2) when is_integer(I1) ->
    fire_n(N, I1, undef, undef, undef, S1, S2, undef, undef);
pn(N, S1, S2, S3) ->
    fire_n(N, undef, undef, undef, undef, S1, S2, S3, undef).

-spec pn(n(), arg(), arg(), arg(), arg()) -> answer().
pn(N, I1, I2, I3, I4) when is_integer(I1), is_integer(I2), is_integer(I3), is_integer(I4) ->
    fire_n(N, I1, I2, I3, I4, undef, undef, undef, undef);
pn(N, I1, I2, I3, S1) when is_integer(I1), is_integer(I2), is_integer(I3) ->
    fire_n(N, I1, I2, I3, undef, S1, undef, undef, undef);
pn(N, I1, I2, S1, S2) when is_integer(I1), is_integer(I2) ->
    fire_n(N, I1, I2, undef, undef, S1, S2, undef, undef);
pn(N, I1, S1, S2, S3) when is_integer(I1) ->
    fire_n(N, I1, undef, undef, undef, S1, S2, S3, undef);
pn(N, S1, S2, S3, S4) ->
    fire_n(N, undef, undef, undef, undef, S1, S2, S3, S4).

-spec pn(n(), arg(), arg(), arg(), arg(), arg()) -> answer().
pn(N, I1, I2, I3, I4, S1) when is_integer(I1), is_integer(I2), is_integer(I3), is_integer(I4) ->
    fire_n(N, I1, I2, I3, I4, S1, undef, undef, undef);
pn(N, I1, I2, I3, S1, S2) when is_integer(I1), is_integer(I2), is_integer(I3) ->
    fire_n(N, I1, I2, I3, undef, S1, S2, undef, undef);
pn(N, I1, I2, S1, S2, S3) when is_integer(I1), is_integer(I2) ->
    fire_n(N, I1, I2, undef, undef, S1, S2, S3, undef);
pn(N, I1, S1, S2, S3, S4) when is_integer(I1) ->
    fire_n(N, I1, undef, undef, undef, S1, S2, S3, S4).

-spec pn(n(), arg(), arg(), arg(), arg(), arg(), arg()) -> answer().
pn(N, I1, I2, I3, I4, S1, S2) when is_integer(I1), is_integer(I2), is_integer(I3), is_integer(I4) ->
    fire_n(N, I1, I2, I3, I4, S1, S2, undef, undef);
pn(N, I1, I2, I3, S1, S2, S3) when is_integer(I1), is_integer(I2), is_integer(I3) ->
    fire_n(N, I1, I2, I3, undef, S1, S2, S3, undef);
pn(N, I1, I2, S1, S2, S3, S4) when is_integer(I1), is_integer(I2) ->
    fire_n(N, I1, I2, undef, undef, S1, S2, S3, S4).

-spec pn(n(), arg(), arg(), arg(), arg(), arg(), arg(), arg()) -> answer().
pn(N, I1, I2, I3, I4, S1, S2, S3) when is_integer(I1), is_integer(I2), is_integer(I3), is_integer(I4) ->
    fire_n(N, I1, I2, I3, I4, S1, S2, S3, undef);
pn(N, I1, I2, I3, S1, S2, S3, S4) when is_integer(I1), is_integer(I2), is_integer(I3) ->
    fire_n(N, I1, I2, I3, undef, S1, S2, S3, S4).

-spec pn(n(), arg(), arg(), arg(), arg(), arg(), arg(), arg(), arg()) -> answer().
pn(N, I1, I2, I3, I4, S1, S2, S3, S4) when is_integer(I1), is_integer(I2), is_integer(I3), is_integer(I4) ->
    fire_n(N, I1, I2, I3, I4, S1, S2, S3, S4).

fire(I1, I2, I3, I4, S1, S2, S3, S4) ->
    erltrace_tracer:user_trace_i4s4(I1, I2, I3, I4, S1, S2, S3, S4, get(?TAG)).

fire_n(N, I1, I2, I3, I4, S1, S2, S3, S4) ->
    erltrace_tracer:user_trace_n(N, I1, I2, I3, I4, S1, S2, S3, S4, get(?TAG)).

%% Fires erlang*:::user_trace-s1. Returns badarg if it is not an io-list or longer than 1024 bytes.
-spec user_trace_s1(iodata()) -> answer().
user_trace_s1(Message) ->
    erltrace_tracer:user_trace_s1(Message).

%% The tag is what probes of this process show as their second argument. Returns the previous tag.
-spec put_tag(undefined | iodata()) -> binary() | undefined.
put_tag(undefined) -> erase(?TAG);
put_tag(Data) -> put(?TAG, unicode:characters_to_binary(Data)).

-spec get_tag() -> binary() | undefined.
get_tag() -> get(?TAG).

%% Labels of tokens may be any terms since OTP 21; the specifications of seq_trace still say integers.
-dialyzer({nowarn_function, [token_tag/0, get_tag_data/0, spread_tag/1, restore_tag/1]}).

%% The tag of this process, or else the one that came with the last received message.
-spec get_tag_data() -> binary() | undefined.
get_tag_data() ->
    case get(?TAG) of
        undefined -> token_tag();
        Tag -> Tag
    end.

token_tag() ->
    case seq_trace:get_token() of
        {_, {?TAG, Tag}, _, _, _} -> Tag;
        _ -> undefined
    end.

%% Whether the tag goes along with the messages that this process sends, and further with those of their receivers, as
%% sequential-trace tokens do: a token carries it. A token that somebody else has set stays, and then the tag does not
%% spread. The answer is for restore_tag/1.
-spec spread_tag(boolean()) -> tag_state().
spread_tag(Spread) ->
    Before = seq_trace:get_token(),
    case {Spread, get_tag_data(), Before} of
        {true, Tag, _} when Tag =/= undefined, (Before =:= [] orelse element(1, element(2, Before)) =:= ?TAG) ->
            seq_trace:set_token([]),
            seq_trace:set_token(label, {?TAG, Tag}),
            {get(?TAG), Before};
        {false, _, {_, {?TAG, _}, _, _, _}} ->
            seq_trace:set_token([]),
            {get(?TAG), Before};
        _ ->
            {get(?TAG), Before}
    end.

-spec restore_tag(tag_state()) -> true.
restore_tag({Tag, Token}) ->
    put_tag(Tag),
    case {Token, seq_trace:get_token()} of
        {Same, Same} -> true;
        {[], {_, {?TAG, _}, _, _, _}} -> seq_trace:set_token([]), true;
        {{_, {?TAG, _}, _, _, _}, _} -> seq_trace:set_token(Token), true;
        _ -> true
    end.
