# A node that -c starts continues as soon as tracing is on, even if tracing is on before the node reaches the expression
# that waits for it, as happens on a busy machine. A program that ends at once is not waited for.
# @@timeout: 180
. "$srcdir/lib.sh"
HOME=$PWD
export HOME
# Once it is distributed it waits some seconds for a node that never comes, and only then comes to its expressions.
slow="-kernel sync_nodes_optional \"['nobody@nowhere']\" -kernel sync_nodes_timeout 4000"
"$ERLTRACE" -q -x aggrate=50ms -n 'BEGIN { printf("on\n"); } erlang*:lists:seq/2:entry { @["seq"] = count(); }' \
	-c "erl -noshell $slow -eval 'io:format(\"held ~b~n\", [erlang:convert_time_unit(erlang:monotonic_time() - erlang:system_info(start_time), native, millisecond)]), [lists:seq(1, 3) || _ <- [1, 2, 3]], timer:sleep(2000), halt().'" >out 2>err
echo "status $?"
sed -e 's/^ *//; s/  */ /g' out | grep -e '^seq 3$' -e '^on$'
held=$(sed -n 's/^held \([0-9]*\)$/\1/p' out)
# from its start on; one that is not let go gives up after 60 s more
[ "${held:-99999}" -ge 4000 ] && [ "$held" -lt 60000 ] || { echo "held for $held ms" >&2; cat out err >&2; exit 1; }

# a node that this one starts is none of ours: it gets the environment that was there
for flags in '' '-shop "two wörds"'; do
	LC_ALL=C.UTF-8 ERL_AFLAGS=$flags "$ERLTRACE" -q -n 'erlang*:lists:seq/2:entry { }' \
		-c "erl -noshell -eval 'io:setopts([{encoding, unicode}]), io:format(\"~tp ~tp~n\", [os:getenv(\"ERL_AFLAGS\"), init:get_argument(shop)]), halt().'" 2>err
done

from=$(date +%s)
"$ERLTRACE" -q -n 'erlang*:::process-spawn { }' -c 'erl -sname' >/dev/null 2>err
echo "status $?"
[ $(($(date +%s) - from)) -lt 50 ] || echo "a command that had ended was waited for" # else 60 s
