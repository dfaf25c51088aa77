# Arguments of a function probe are terms: D tests them, takes them apart and prints them. D's functions on terms return
# what Erlang's return.
. "$srcdir/lib.sh"

cat >tt.erl <<'END'
-module(tt).
-export([go/0, f/2, g/1, many/11]).
go() ->
    f({order, 42, <<"book">>}, #{id => 7, <<"name">> => "bob", 3 => three}),
    lists:foreach(fun g/1, [ok, 'Odd one', true, -5, 1.5, 1.0e300, <<"bin">>, <<1, 2>>, <<5:3>>, [], [1, 2], [a | b], "text",
                            {}, {x}, #{}, #{a => 1}, fun lists:map/2, 1 bsl 70]),
    many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
    done.
f(A, _) -> A.
g(X) -> X.
many(_, _, _, _, _, _, _, _, _, _, X) -> X.
END
erlc tt.erl || exit 1
node_start -pa . -s tt module_info
cat >tt.d <<'END'
erlang*:tt:f/2:entry
{
	printf("%s %s\n", args[0], element(1, args[0]));
	printf("%d %s\n", element(2, args[0]) + 1, binary(element(3, args[0])));
	printf("%d %s %s\n", map_get("id", args[1]), map_get("name", args[1]), atom(map_get(3, args[1])));
	printf("%d %d %d\n", is_map_key("id", args[1]), is_map_key("none", args[1]), is_map_key(element(1, args[0]), args[1]));
	printf("%d %d %d\n", tuple_size(args[0]), map_size(args[1]), byte_size(element(3, args[0])));
	printf("%s %s %s %d\n", copyinstr(args[0]), probemod, probefunc, is_pid((term)arg0));
	printf("%d %s %d\n", copyinstr(arg0) == eproc, copyinstr(arg1), arg2);
}
erlang*:tt:g/1:entry
{
	printf("%s %d%d%d%d%d%d%d%d%d%d%d\n", args[0], is_atom(args[0]), is_boolean(args[0]), is_integer(args[0]),
	    is_float(args[0]), is_number(args[0]), is_binary(args[0]), is_bitstring(args[0]), is_list(args[0]), is_tuple(args[0]),
	    is_map(args[0]), is_function(args[0]));
}
erlang*:tt:many/11:entry { printf("%d %d\n", args[0], args[9]); }
erlang*:tt:g/1:entry /is_list(args[0]) && args[0] == "[1,2]"/ { printf("%d %d %s\n", length(args[0]), hd(args[0]), tl(args[0])); }
END
trace_start out -s tt.d
[ "$(node_eval 'tt:go().')" = done ] || exit 1
trace_stop
cat out.txt

# arg0 to arg2 are process, function and depth, of entry, return and exception, with and without the terms. Functions of
# different arity have args[] too; one that a function lacks is an error.
trace_start raw -n 'erlang*:tt::entry { @["entry", copyinstr(arg1), copyinstr(arg0) == eproc] = count(); }
	erlang*:tt:f/2:return { @["return", strjoin(copyinstr(arg1), text(element(1, args[0]))), copyinstr(arg0) == eproc] = count(); }
	erlang*:tt:g/1:return { @["return", copyinstr(arg1), arg2] = count(); }
	erlang*:tt:f/2:entry, erlang*:tt:many/11:entry { @["first", text(args[0]), 0] = count(); }
	erlang*:tt:g/1:entry, erlang*:tt:f/2:entry { this->has = is_map(args[1]); @["second", copyinstr(arg1), this->has] = count(); }
	ERROR { @["error", "", arg4] = count(); }'
[ "$(node_eval 'tt:go().')" = done ] || exit 1
trace_stop 2>raw.said
cat raw.txt
clean_node
