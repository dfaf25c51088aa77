# No module uses the old catch expression, which OTP 29 warns about. The test finds one also when an older OTP compiles
# the modules: in a module's syntax tree only such an expression has the atom catch.
# @@timeout: 240
command -v erl >/dev/null || { echo 'erl is not installed' >&2; exit 67; }
top=$(cd "$srcdir/../.." && pwd)
erl -noinput -eval '
    <<131, Atom/binary>> = term_to_binary('"'catch'"'),
    [begin
         {ok, Forms} = epp:parse_file(F, []),
         [io:format("~s: an old catch in ~p/~p~n", [F, Name, Arity])
          || {function, _, Name, Arity, Clauses} <- Forms, binary:match(term_to_binary(Clauses), Atom) =/= nomatch]
     end || F <- init:get_plain_arguments()],
    halt(0).' -extra "$top"/otp/erltrace/src/*.erl "$top"/otp/erltrace/test/*.erl "$top"/test/erlang/*.erl "$top"/bench/erlang/*.erl "$top"/scripts/demo/*.erl | sed "s|$top/||"
