# A real system: ejabberd, as Debian's package has it, in a root of its own with its database in memory. Its functions are counted exactly, its processes for
# clients are seen when they connect, and nothing is left.
[ "$(id -u)" = 0 ] || { echo "only root may change its root" >&2; exit 67; }
# EJABBERD: the releases of Debian whose ejabberd is taken; 1 is this machine's
. /etc/os-release
cache=${ERLTRACE_CACHE:-$BUILD}
case $EJABBERD in
'') releases=$(cd "$cache" && for f in ejabberd-*/fetched; do [ ! -e "$f" ] || echo "$f"; done | sed 's/^ejabberd-//; s/.fetched$//') ;;
1) releases=${VERSION_CODENAME:-sid} ;;
*) releases=$EJABBERD ;;
esac
[ -n "$releases" ] || { echo "80 MB to fetch: EJABBERD=1 does it" >&2; exit 67; }
. "$srcdir/lib.sh"
one() {
	there=$cache/ejabberd-$1
	why=$(ARCH=$(dpkg --print-architecture) sh "$srcdir/../arm64/fetch.sh" "$there" "$1" ejabberd 2>&1) || { echo "ejabberd could not be fetched: $why" >&2; exit 67; }
	there=$(cd "$there/root" && pwd)
	home=$(ls -d "$there"/usr/lib/*/ejabberd-[0-9]* | head -n 1)
	mkdir -p conf
	port=$((20000 + $$ % 10000))
	cat >conf/ejabberd.yml <<END
hosts: [localhost]
loglevel: error
listen:
  - {port: $port, ip: "127.0.0.1", module: ejabberd_c2s}
auth_method: [internal]
modules: {mod_disco: {}}
END
	NODE=ejabberd-$1-$$
	erts=$(ls -d "$there"/usr/lib/erlang/erts-* | sed "s|^$there||")
	cat >start <<END
mkdir -p $there/tmp $there/proc $there/dev; mount -t tmpfs tmpfs $there/tmp && mkdir $there/tmp/conf && cp conf/ejabberd.yml $there/tmp/conf/ && mount -t proc proc $there/proc && mount --bind /dev $there/dev
touch $there/etc/hosts; mount --bind /etc/hosts $there/etc/hosts
export EJABBERD_CONFIG_PATH=/tmp/conf/ejabberd.yml EJABBERD_LOG_PATH=/tmp/ejabberd.log HOME=/tmp ROOTDIR=/usr/lib/erlang BINDIR=$erts/bin EMU=beam PROGNAME=erl
export ERL_LIBS=$(dirname "${home#"$there"}") LANG=C.UTF-8
exec chroot $there $erts/bin/erlexec -sname $NODE -setcookie $COOKIE -noinput -mnesia dir '"/tmp/db"' -s ejabberd +S 2 -eval 'io:format("up~n")'
END
	unshare -m sh start >node.log 2>&1 &
	NODE_PID=$!
	NODES=$!
	: >"$NODE.start"
	for _ in $(seq 600); do
		[ "$(node_eval 'lists:keymember(ejabberd, 1, application:which_applications()).')" = true ] && break
		kill -0 $NODE_PID 2>/dev/null || { cat node.log >&2; exit 1; }
		sleep 0.2
	done
	node_eval '{ok, V} = application:get_key(ejabberd, vsn), hd(string:split(V, ".")) >= "23".'
	node_eval '{ok, V} = application:get_key(ejabberd, vsn), {V, erlang:system_info(otp_release)}.' >&2
	HOME=/nowhere "$ERLTRACE" -q -p "$NODE_PID" -n 'erlang$target:::process-scheduled { printf("found by its process\n"); exit(0); }' | sed /^$/d
	trace_start out -n 'erlang*:ejabberd_auth:try_register/3:entry { @["registered"] = count(); }
		erlang*:ejabberd_c2s:init/1:entry { @["clients"] = count(); }'
	node_eval '[ejabberd_auth:try_register(list_to_binary(integer_to_list(N)), <<"localhost">>, <<"secret">>) || N <- lists:seq(1, 123)], ok.'
	node_eval "[begin {ok, S} = gen_tcp:connect({127, 0, 0, 1}, $port, [binary, {active, false}]), ok = gen_tcp:send(S, <<\"<stream:stream to='localhost' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>\">>), {ok, <<\"<?xml\", _/binary>>} = gen_tcp:recv(S, 0, 60000), gen_tcp:close(S) end || _ <- lists:seq(1, 7)], ok."
	trace_stop && cat out.txt
	clean_node
	node_end
}
for release in $releases; do
	one "$release" >"of.$release"
	cat "of.$release" >&2
	cmp -s "of.$release" "$srcdir/tst.ejabberd.sh.out" || { echo "not with the ejabberd of $release" && cat "of.$release"; exit 1; }
done
cat "of.$release"
