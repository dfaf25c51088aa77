# No module has an old catch, of which OTP 29 warns: so that one is also seen where an older OTP compiles them. In the tree of a
# module only such an expression has the atom.
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
