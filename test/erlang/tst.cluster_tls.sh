# Nodes whose distribution runs over TLS, with certificates that both sides verify: one node, several, --cluster, and from
# Erlang.
# The counts are exact. Somebody else's certificate and wrong options give clear errors. The helper ends with the
# command, however that ends, and nothing is left in the nodes.
. "$srcdir/lib.sh"
command -v openssl >/dev/null || { echo "openssl is not installed" >&2; exit 67; }
erl -noinput -eval 'halt(case code:which(ssl) of non_existing -> 1; _ -> 0 end).' || { echo "OTP's ssl is not installed" >&2; exit 67; }
"${ERL:-erl}" -noinput -eval 'halt(try crypto:supports() of _ -> 0 catch _:_ -> 1 end).' || { echo "this VM has no crypto" >&2; exit 67; }

HOST=$(hostname -s)
certificates() { # certificates FOLDER
	mkdir "$1"
	(
		cd "$1" || exit 1
		openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -subj "/CN=test ca of $1" -days 2
		openssl req -newkey rsa:2048 -nodes -keyout key.pem -out req.pem -subj "/CN=$HOST" -addext "subjectAltName=DNS:$HOST"
		printf 'subjectAltName=DNS:%s' "$HOST" >ext
		openssl x509 -req -in req.pem -CA ca.pem -CAkey ca.key -CAcreateserial -out cert.pem -days 2 -extfile ext
	) >"$1.log" 2>&1 || { cat "$1.log" >&2; exit 1; }
	cat >"$1/dist.conf" <<-END
	[{server, [{certfile, "$PWD/$1/cert.pem"}, {keyfile, "$PWD/$1/key.pem"}, {cacertfile, "$PWD/$1/ca.pem"},
	           {verify, verify_peer}, {fail_if_no_peer_cert, true}]},
	 {client, [{certfile, "$PWD/$1/cert.pem"}, {keyfile, "$PWD/$1/key.pem"}, {cacertfile, "$PWD/$1/ca.pem"},
	           {verify, verify_peer}]}].
	END
}
certificates ours
certificates others

# it is told by files what to do, because erl_call cannot speak TLS
cat >tls_node.erl <<'END'
-module(tls_node).
-export([run/0, v/1]).
run() -> spawn(fun() -> loop(0) end).
v(X) -> X.
loop(N) ->
    [Name | _] = string:split(atom_to_list(node()), "@"),
    Next = Name ++ "." ++ integer_to_list(N + 1),
    case file:read_file(Next) of
        {ok, Text} ->
            {ok, Tokens, _} = erl_scan:string(binary_to_list(Text)),
            {ok, Exprs} = erl_parse:parse_exprs(Tokens),
            {value, V, _} = erl_eval:exprs(Exprs, []),
            ok = file:write_file(Next ++ ".tmp", io_lib:format("~0p~n", [V])),
            ok = file:rename(Next ++ ".tmp", Next ++ ".done"),
            loop(N + 1);
        _ ->
            receive after 20 -> loop(N) end
    end.
END
erlc tls_node.erl || exit 1
OPTIONS="-proto_dist inet_tls -ssl_dist_optfile $PWD/ours/dist.conf"
node_start $OPTIONS -s tls_node run; A=$NODE; PIDA=$NODE_PID
node_start $OPTIONS -s tls_node run; B=$NODE; PIDB=$NODE_PID
NA=0 NB=0
until_file() {
	wait=0
	until [ -e "$1" ] || [ $wait -gt 1200 ]; do
		sleep 0.05
		wait=$((wait + 1))
	done
	cat "$1"
}
on_a() {
	NA=$((NA + 1))
	echo "$1" >"$A.new" && mv "$A.new" "$A.$NA"
	until_file "$A.$NA.done"
}
on_b() {
	NB=$((NB + 1))
	echo "$1" >"$B.new" && mv "$B.new" "$B.$NB"
	until_file "$B.$NB.done"
}
names() {
	sed -e "s/$A/A/g; s/$B/B/g; s/@[A-Za-z0-9.-]*//g; s/process [0-9]*/process N/; s/  */ /g; s/^ //"
}
on_a "net_adm:ping('$B@$HOST')."

start() {
	: >out
	case $1 in
	-p) ;; # they are on its command line
	*) set -- --dist-opts "-ssl_dist_optfile $PWD/ours/dist.conf" "$@" ;;
	esac
	: >out
	env --default-signal "$ERLTRACE" --cookie "$COOKIE" \
		-x switchrate=20ms -x aggrate=20ms "$@" -qn 'erlang*:tls_node:v/1:entry { @n[node] = count(); @s = sum((int)args[0]); }
		tick-20ms { printf("tracing %s\n", node); }' >out 2>err &
	TRACE_PID=$!
}
until_in() {
	wait=0
	until grep -q "$1" "$2" || ! kill -0 $TRACE_PID 2>/dev/null || [ $wait -gt 1200 ]; do
		sleep 0.05
		wait=$((wait + 1))
	done
}
stop() {
	kill -TERM $TRACE_PID
	wait $TRACE_PID
	echo "status $?"
	grep -v -e tracing -e '^$' out | names
	names <err
}
echo '-- one'
start -N "$A"
until_in "tracing $A" out
on_a '[tls_node:v(I) || I <- lists:seq(1, 10)], ok.'
stop
echo '-- by its process'
start -p "$PIDA"
until_in "tracing $A" out
on_a '[tls_node:v(I) || I <- lists:seq(1, 7)], ok.'
stop
# a file is named from the process's own folder
node_start -proto_dist inet_tls -ssl_dist_optfile ours/dist.conf -s tls_node run
(cd / && timeout 120 "$ERLTRACE" --cookie "$COOKIE" -p "$NODE_PID" -qn 'BEGIN { printf("attached to %d\n", $target == '"$NODE_PID"'); exit(0); }' 2>&1)
echo '-- the cluster'
start --cluster "$A"
until_in "tracing $A" out
until_in "tracing $B" out
on_a '[tls_node:v(I) || I <- lists:seq(1, 20)], ok.'
on_b '[tls_node:v(I) || I <- lists:seq(1, 30)], ok.'
stop

echo '-- from Erlang'
erl -noinput -pa "$BUILD/otp/erltrace/ebin" -eval "
	Opts = [{cookie, \"$COOKIE\"}, {erltrace, \"$ERLTRACE\"}, {distopts, \"-ssl_dist_optfile $PWD/ours/dist.conf\"}],
	Until = fun U(File) -> filelib:is_file(File) orelse begin timer:sleep(20), U(File) end end,
	Run = fun(Which, Name) ->
	    {ok, H} = erltrace:open([Which | Opts]),
	    ok = erltrace:compile(H, \"erlang*:tls_node:v/1:entry { @[node] = count(); }\"),
	    ok = erltrace:go(H),
	    ok = file:write_file(Name ++ \".on\", <<>>),
	    Until(Name ++ \".called\"),
	    ok = erltrace:stop(H),
	    {ok, Values} = erltrace:walk(H),
	    [io:format(\"~0p~n\", [V]) || V <- lists:sort(Values)],
	    ok = erltrace:close(H)
	end,
	Run({node, '$A@$HOST'}, \"first\"),
	Run({nodes, ['$A@$HOST', '$B@$HOST']}, \"second\"),
	halt()." >from_erlang 2>&1 </dev/null &
FROM=$!
for i in first second; do
	wait=0
	until [ -e $i.on ] || ! kill -0 $FROM 2>/dev/null || [ $wait -gt 1200 ]; do
		sleep 0.05
		wait=$((wait + 1))
	done
	[ -e $i.on ] || { kill $FROM; break; }
	on_a '[tls_node:v(I) || I <- lists:seq(1, 5)], ok.'
	on_b '[tls_node:v(I) || I <- lists:seq(1, 6)], ok.'
	: >$i.called
done
wait $FROM
echo "status $?"
names <from_erlang

echo '-- killed'
start -N "$A" -N "$B"
until_in "tracing $A" out
until_in "tracing $B" out
HELPER=$(cat "/proc/$TRACE_PID/task/"*/children | tr -d ' ')
kill -0 "$HELPER" || echo 'there is no helper'
kill -9 $TRACE_PID
wait $TRACE_PID 2>/dev/null
wait=0
while kill -0 "$HELPER" 2>/dev/null && [ $wait -lt 600 ]; do
	sleep 0.05
	wait=$((wait + 1))
done
kill -0 "$HELPER" 2>/dev/null && echo 'the helper is still there'

echo '-- the service'
cat >calls.d <<'D'
/* @metric @n test_calls_total: Calls. */
erlang*:tls_node:v/1:entry { @n = count(); }
D
cat >export.conf <<C
listen 127.0.0.1:0
interval 100ms
dist-opts -ssl_dist_optfile $PWD/ours/dist.conf
node $A
node $B
script calls.d
script distribution
C
if "$ERLTRACE" export --help >/dev/null 2>&1; then
	. "$srcdir/../cli/export.sh"
	trap 'export_end; node_end' EXIT
	helpers() { cat "/proc/$EXPORT_PID/task/"*/children | wc -w; }
	all_up() { # all_up TIMES
		for s in calls.d distribution; do
			for n in "$A" "$B"; do
				wait_least "erltrace_attaches_total{script=\"$s\",node=\"$n\"}" "$1"
				wait_value "erltrace_attached{script=\"$s\",node=\"$n\"}" 1
			done
		done
	}
	export_start
	all_up 1
	on_a '[tls_node:v(I) || I <- lists:seq(1, 10)], ok.'
	wait_value "test_calls_total{node=\"$A\"}" 10
	echo "$(helpers) helper"
	# without it there are no connections; another is started
	kill -9 $(cat "/proc/$EXPORT_PID/task/"*/children)
	all_up 2
	on_b '[tls_node:v(I) || I <- lists:seq(1, 5)], ok.'
	wait_value "test_calls_total{node=\"$B\"}" 5
	echo "$(helpers) helper"
	HELPER=$(cat "/proc/$EXPORT_PID/task/"*/children | tr -d ' ')
	export_stop
	kill -0 "$HELPER" 2>/dev/null && echo 'the helper is still there'
else
	printf 'ok\n1 helper\nok\n1 helper\nended with 0\n'
fi

echo '-- errors'
refused() {
	timeout 120 "$ERLTRACE" --cookie "$COOKIE" "$@" -qn 'BEGIN { exit(0); }' 2>&1 | names | sed -e "s,$PWD/,,g; s/\(: TLS:\).*[Uu]nknown.CA.*/\1 unknown CA/; s/port [0-9]*/port N/"
}
refused -N "$A" --dist-opts "-ssl_dist_optfile $PWD/others/dist.conf"
refused -N "$A" --dist-opts "-ssl_dist_optfile $PWD/nosuch.conf"
refused -N "$A" --dist-opts "-ssl_dist_optfile $PWD/ours/dist.conf" --cookie another
ERLTRACE_ERL=/nosuch/erl refused -N "$A" --dist-opts "-ssl_dist_optfile $PWD/ours/dist.conf"
mkdir 'a folder' && cp ours/dist.conf 'a folder'
node_start -proto_dist inet_tls -ssl_dist_optfile "$PWD/a folder/dist.conf" -s tls_node run
refused -p "$NODE_PID"

left='W = fun W(N) -> case [M || M <- erlang:loaded() ++ registered(), lists:prefix("erltrace", atom_to_list(M))] of [] -> clean; L when N =:= 0 -> L; _ -> timer:sleep(100), W(N - 1) end end, W(300).'
on_a "$left"
on_b "$left"
