%% D programs as Erlang terms.
%%
%%     erltrace_script:compile(
%%       [{{function, lists, seq, 2, entry}, [{set, {self, t}, timestamp}]},
%%        {{function, lists, seq, 2, return}, {self, t},
%%         [{quantize, time, [{string, 1}], {'-', timestamp, {self, t}}},
%%          {set, {self, t}, 0}]}])
%%
%% A script is a clause or a list of clauses:
%%
%%     {Probes, Actions}
%%     {Probes, Predicate, Actions}
%%
%% Probes: one, or a list of
%%     {Provider, Module, Function, Name}    atoms or text; '' or "" for any
%%     {erlang, Name}                        erlang*:::Name
%%     {function, M, F, A, Name}             entry, return or exception of a function
%%     {tick, "1s"}, {profile, 97}, 'BEGIN', 'END', 'ERROR'
%%     "text"                                as D writes it
%%
%% Predicate: an expression, or a list of them that must all hold.
%%
%% Expressions:
%%     42, -1                    numbers
%%     <<"text">>                a string
%%     "text"                    D as it is
%%     timestamp, arg0           an atom: a variable
%%     {self, V}, {this, V}      thread-local, clause-local
%%     {self, V, Keys}, {global, V, Keys}    associative arrays
%%     {arg, N}, {string, N}     argN, copyinstr(argN)
%%     {Op, A}                   '-' 'not' 'bnot'
%%     {Op, A, B}                + - * div rem == /= < =< > >= 'and' 'or' 'xor' band bor bxor bsl bsr, or D's own names
%%     {'if', C, A, B}           C ? A : B
%%     {call, Function, Arguments}
%%     {Name, Value}             Name == Value, for any other Name
%%     {Expression}              in parentheses
%%
%% Actions: one, or a list of
%%     {trace, E}, {exit, E}, {tracemem, E, Size}
%%     {printf, Format, Arguments}
%%     {count, Agg, Keys}
%%     {Function, Agg, Keys, E}  an aggregating function: sum avg min max stddev quantize
%%     {Function, Agg, Keys, E, {Parameter, ...}}  lquantize: {Low, High, Step}; llquantize: {Factor, Low, High, Steps}
%%     {printa, Agg}, {printa, Format, Agg}, {clear, Agg}, {trunc, Agg}, {trunc, Agg, N}, {normalize, Agg, E}
%%     {set, Variable, E}
%%     {'if', E, Actions}, {'if', E, Actions, Actions}
%%     stack, ustack, {stack, N}, {ustack, N}
%%     {call, Function, Arguments}
%%     "text"                    D as it is
%%
%% Agg is an atom or text, '' for the anonymous aggregation. Wrong terms give {badscript, Term}.
-module(erltrace_script).

-export([compile/1]).
-export_type([script/0, clause/0, probe/0, expression/0, action/0]).

-type name() :: atom() | string() | binary().
-type script() :: clause() | [clause()].
-type clause() :: {probe() | [probe()], action() | [action()]}
                | {probe() | [probe()], expression() | [expression()], action() | [action()]}.
-type probe() :: {name(), name(), name(), name()} | {erlang, name()}
               | {function, module(), atom(), arity() | '_', name()}
               | {tick | profile, integer() | name()} | 'BEGIN' | 'END' | 'ERROR' | string() | binary().
-type expression() :: integer() | binary() | string() | atom() | tuple().
-type action() :: tuple() | atom() | string() | binary().

%% The program as D source.
-spec compile(script()) -> iodata().
compile(Clauses) when is_list(Clauses) -> [clause(C) || C <- Clauses];
compile(Clause) -> clause(Clause).

clause({Probes, Actions}) ->
    [probes(Probes), "\n{\n", block(Actions), "}\n"];
clause({Probes, Predicate, Actions}) ->
    [probes(Probes), "\n/", predicate(Predicate), "/\n{\n", block(Actions), "}\n"];
clause(Other) ->
    bad(Other).

bad(Term) -> error({badscript, Term}).

%% -- probes ----------------------------------------------------------------------------------------------------------

probes(Probes) when is_list(Probes) ->
    case is_raw(Probes) of
        true -> Probes;
        false -> lists:join(",\n", [probe(P) || P <- Probes])
    end;
probes(Probe) ->
    probe(Probe).

probe({P, M, F, N}) -> lists:join($:, [part(X) || X <- [P, M, F, N]]);
probe({erlang, Name}) -> ["erlang*:::", part(Name)];
probe({function, M, F, A, Name}) -> ["erlang*:", part(M), $:, part(F), $/, arity(A), $:, part(Name)];
probe({Timer, Rate}) when Timer =:= tick; Timer =:= profile -> [atom_to_list(Timer), $-, part(Rate)];
probe(Special) when Special =:= 'BEGIN'; Special =:= 'END'; Special =:= 'ERROR' -> ["dtrace:::", atom_to_list(Special)];
probe(Text) when is_binary(Text) -> Text;
probe(Text) ->
    case is_raw(Text) of
        true -> Text;
        false -> bad(Text)
    end.

arity('_') -> "*";
arity(A) when is_integer(A), A >= 0, A =< 255 -> integer_to_list(A);
arity(A) -> bad(A).

part(I) when is_integer(I) -> integer_to_list(I);
part('_') -> "*";
part(A) when is_atom(A) -> atom_to_binary(A, utf8);
part(B) when is_binary(B) -> B;
part(L) ->
    case is_raw(L) of
        true -> L;
        false -> bad(L)
    end.

%% -- expressions -----------------------------------------------------------------------------------------------------

predicate([]) -> "1";
predicate(L) when is_list(L) ->
    case is_raw(L) of
        true -> L;
        false -> lists:join(" && ", [expr(E) || E <- L])
    end;
predicate(E) ->
    expr(E).

expr(I) when is_integer(I), I >= 0 -> integer_to_list(I);
expr(I) when is_integer(I) -> ["(-", integer_to_list(-I), $)];
expr(B) when is_binary(B) -> string_literal(B);
expr(A) when is_atom(A) -> name(A);
expr({self, V}) -> ["self->", name(V)];
expr({this, V}) -> ["this->", name(V)];
expr({self, V, Keys}) -> ["self->", name(V), keys(Keys)];
expr({global, V, Keys}) -> [name(V), keys(Keys)];
expr({arg, N}) when is_integer(N), N >= 0, N =< 9 -> ["arg", integer_to_list(N)];
expr({string, N}) when is_integer(N), N >= 0, N =< 9 -> ["copyinstr(arg", integer_to_list(N), $)];
expr({call, F, Arguments}) -> call(F, Arguments);
expr({'if', C, A, B}) -> [$(, expr(C), " ? ", expr(A), " : ", expr(B), $)];
expr({'-', E}) -> ["(-", expr(E), $)];
expr({'not', E}) -> ["(!", expr(E), $)];
expr({'bnot', E}) -> ["(~", expr(E), $)];
expr({E}) -> [$(, expr(E), $)];
expr({Name, Value}) -> [$(, expr(Name), " == ", expr(Value), $)];
expr({Op, A, B}) -> [$(, expr(A), $\s, operator(Op), $\s, expr(B), $)];
expr(L) when is_list(L) ->
    case is_raw(L) of
        true -> L;
        false -> bad(L)
    end;
expr(Other) -> bad(Other).

operator('div') -> "/";
operator('rem') -> "%";
operator('/=') -> "!=";
operator('=<') -> "<=";
operator('and') -> "&&";
operator('or') -> "||";
operator('xor') -> "^^";
operator('band') -> "&";
operator('bor') -> "|";
operator('bxor') -> "^";
operator('bsl') -> "<<";
operator('bsr') -> ">>";
operator(Op) when is_atom(Op) ->
    Text = atom_to_list(Op),
    case lists:member(Text, ["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "^^", "&", "|",
                             "^", "<<", ">>"]) of
        true -> Text;
        false -> bad(Op)
    end;
operator(Op) -> bad(Op).

keys([]) -> "";
keys(Keys) -> [$[, arguments(Keys), $]].

arguments(List) -> lists:join(", ", [expr(E) || E <- List]).

call(F, Arguments) -> [name(F), $(, arguments(Arguments), $)].

%% A D identifier; also probe:::members and `a->b` are for raw text.
name(A) ->
    Text = if is_atom(A) -> atom_to_list(A);
              is_binary(A) -> binary_to_list(A);
              is_list(A) -> A;
              true -> bad(A)
           end,
    case re:run(Text, "^[A-Za-z_][A-Za-z0-9_]*$", [{capture, none}]) of
        match -> Text;
        nomatch -> bad(A)
    end.

string_literal(B) -> [$", [escape(C) || <<C>> <= B], $"].

escape($") -> "\\\"";
escape($\\) -> "\\\\";
escape($\n) -> "\\n";
escape($\t) -> "\\t";
escape($\r) -> "\\r";
escape(C) when C < 32; C > 126 -> io_lib:format("\\~3.8.0b", [C]);
escape(C) -> C.

is_raw([C | T]) when is_integer(C), C >= 0 -> is_raw_tail(T);
is_raw([]) -> true;
is_raw(_) -> false.

is_raw_tail([C | T]) when is_integer(C), C >= 0 -> is_raw_tail(T);
is_raw_tail(T) -> T =:= [].

%% -- actions ---------------------------------------------------------------------------------------------------------

block(Actions) when is_list(Actions) ->
    case is_raw(Actions) andalso Actions =/= [] of
        true -> [$\t, Actions, ";\n"];
        false -> [action(A) || A <- Actions]
    end;
block(Action) ->
    action(Action).

action({'if', E, Then}) -> ["\tif (", expr(E), ") {\n", block(Then), "\t}\n"];
action({'if', E, Then, Else}) -> ["\tif (", expr(E), ") {\n", block(Then), "\t} else {\n", block(Else), "\t}\n"];
action(A) -> [$\t, statement(A), ";\n"].

statement({set, Variable, E}) -> [variable(Variable), " = ", expr(E)];
statement({printf, Format, Arguments}) -> ["printf(", string_literal(to_bytes(Format)), [[", ", expr(E)] || E <- Arguments], $)];
statement({count, Agg, Keys}) -> [agg(Agg), keys(Keys), " = count()"];
%% The compiler knows which functions exist, and reports one that does not.
statement({Fn, Agg, Keys, E}) when is_atom(Fn), is_list(Keys) -> [agg(Agg), keys(Keys), " = ", name(Fn), $(, expr(E), $)];
statement({Fn, Agg, Keys, E, Parameters}) when is_atom(Fn), is_list(Keys), is_tuple(Parameters) ->
    [agg(Agg), keys(Keys), " = ", name(Fn), $(, arguments([E | tuple_to_list(Parameters)]), $)];
statement({printa, Agg}) -> ["printa(", agg(Agg), $)];
statement({printa, Format, Agg}) -> ["printa(", string_literal(to_bytes(Format)), ", ", agg(Agg), $)];
statement({clear, Agg}) -> ["clear(", agg(Agg), $)];
statement({trunc, Agg}) -> ["trunc(", agg(Agg), $)];
statement({trunc, Agg, N}) -> ["trunc(", agg(Agg), ", ", expr(N), $)];
statement({normalize, Agg, E}) -> ["normalize(", agg(Agg), ", ", expr(E), $)];
statement({call, F, Arguments}) -> call(F, Arguments);
statement({Fn, E}) when Fn =:= trace; Fn =:= exit; Fn =:= stack; Fn =:= ustack -> [atom_to_list(Fn), $(, expr(E), $)];
statement({tracemem, E, Size}) -> ["tracemem(", expr(E), ", ", expr(Size), $)];
statement(Fn) when Fn =:= stack; Fn =:= ustack -> [atom_to_list(Fn), "()"];
statement(Text) when is_binary(Text) -> Text;
statement(Text) ->
    case is_raw(Text) of
        true -> Text;
        false -> bad(Text)
    end.

variable({self, _} = V) -> expr(V);
variable({this, _} = V) -> expr(V);
variable({self, _, _} = V) -> expr(V);
variable({global, _, _} = V) -> expr(V);
variable(A) when is_atom(A) -> name(A);
variable(Other) -> bad(Other).

agg('') -> "@";
agg("") -> "@";
agg(Name) -> [$@, name(Name)].

to_bytes(Text) ->
    case unicode:characters_to_binary(Text) of
        B when is_binary(B) -> B;
        _ -> bad(Text)
    end.
