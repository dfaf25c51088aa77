# -p finds the node of the process where something else is nearer at hand: words after -extra that are the program's own,
# two cookies, an environment and a command line of hundreds of kilobytes, thousands of open sockets, a distribution
# module of its own, and another node that has the name by now. A node that takes no connections is told as that.
# @@timeout: 180
. "$srcdir/lib.sh"
. "$srcdir/container.sh"
own_home
WITH="$UP; $EPMD -relaxed_command_check >/dev/null 2>&1 & echo \$! >epmd.pid; until $EPMD -names >/dev/null 2>&1; do sleep 0.05; done"
ALL='-n -m -u -p --mount-proc'
# (It stays a zombie while its parent is stopped.)
epmd_dies() {
	mapper=$(cat epmd.pid)
	kill "$mapper"
	while grep -qs epmd "/proc/$mapper/cmdline"; do sleep 0.05; done
}

echo '-- the program has options like those of a node'
AFTER='-extra --name alice -sname alice --cookie wrong -setcookie wrong' inside "$ALL" "$WITH" -sname box -setcookie said
into
echo '-- the same without a name on the command line'
AFTER='-extra --name alice -sname alice' inside "$ALL" "$WITH" -setcookie said -eval '{ok, _} = net_kernel:start([box, shortnames])'
into
echo '-- two cookies, of which one counts; and one that is for another node'
inside "$ALL" "$WITH" -setcookie first -sname box -setcookie second -eval 'erlang:set_cookie(first)'
into
inside "$ALL" "$WITH" -setcookie said -sname box -setcookie other@host its_cookie
into
echo '-- many variables, and the cookie behind them'
inside "$ALL" "$WITH; for i in \$(seq 4000); do export SERVICE_\${i}_PORT_8080_TCP_ADDR=10.100.100.100; done
	export ZZ_LAST=1 RELEASE_COOKIE=of_environment" -sname box -eval 'erlang:set_cookie(list_to_atom(os:getenv("RELEASE_COOKIE")))'
[ "$(wc -c <"/proc/$INNER/environ")" -gt 131072 ] || echo 'it is not large'
into
echo '-- a long command line'
inside "$ALL" "$WITH" -pa $(seq -f '/opt/release/lib/an_application-%g/ebin' 3000) -sname box -setcookie said
[ "$(wc -c <"/proc/$INNER/cmdline")" -gt 65536 ] || echo 'it is not long'
into
echo '-- thousands of sockets, and nothing says the name'
inside "$ALL" "$WITH; ulimit -n 8192" -setcookie said -eval '{ok, L} = gen_tcp:listen(0, [{backlog, 4096}]), {ok, P} = inet:port(L),
	[begin {ok, _} = gen_tcp:connect("127.0.0.1", P, []), {ok, _} = gen_tcp:accept(L) end || _ <- lists:seq(1, 700)],
	{ok, _} = net_kernel:start([box, shortnames])'
[ "$(ls -l "/proc/$INNER/fd" | grep -c socket:)" -gt 1024 ] || echo 'there are not many'
into
echo '-- a distribution module of its own'
cat >plain_dist.erl <<'END'
-module(plain_dist).
-export([listen/1, listen/2, accept/1, accept_connection/5, setup/5, close/1, select/1, address/0]).
listen(Name) -> inet_tcp_dist:listen(Name).
listen(Name, Host) -> inet_tcp_dist:listen(Name, Host).
accept(Listen) -> inet_tcp_dist:accept(Listen).
accept_connection(A, B, C, D, E) -> inet_tcp_dist:accept_connection(A, B, C, D, E).
setup(A, B, C, D, E) -> inet_tcp_dist:setup(A, B, C, D, E).
close(Listen) -> inet_tcp_dist:close(Listen).
select(Node) -> inet_tcp_dist:select(Node).
address() -> inet_tcp_dist:address().
END
erlc plain_dist.erl || exit
inside "$ALL" "$WITH" -pa "$PWD" -proto_dist plain -sname box -setcookie said
into
into --cookie wrong
echo '-- another node has its name by now: epmd was started again'
inside '-n -m -u' "$WITH" -sname box -setcookie said
first=$INNER
freeze "$first"
epmd_dies
UNSHARE="nsenter -t $first -n -m -u --wd=$PWD unshare" inside '-m' "$WITH" -sname box -setcookie said
kill -CONT "$first"
for INNER in "$first" "$INNER"; do
	"$ERLTRACE" -q -p "$INNER" -n 'erlang$target:::process-spawn { } BEGIN { printf("%s\n", pid == '"$INNER"' ? "that one" : "another"); exit(0); }' 2>&1 | sed /^$/d
done
epmd_dies
echo '-- it takes no connections'
inside "$ALL" "$WITH" -sname box -setcookie said -dist_listen false
into | sed 's/undefined).*/undefined)/'
inside "$ALL" "$WITH" -sname undefined -setcookie said
into | sed 's/undefined).*/undefined)/'
