# -p, used outside a container, finds the name, cookie and port of the node in it: through the network, files, host name
# and environment of the process, with and without epmd.
. "$srcdir/lib.sh"
. "$srcdir/container.sh"
mkdir home release release/releases
HOME=$PWD/home
export HOME
OWN='hostname inner'
# nobody outside sees this file
COOKIE_FILE="mount -t tmpfs tmpfs $PWD/home; echo -n inner_cookie >$PWD/home/.erlang.cookie; chmod 400 $PWD/home/.erlang.cookie"
ALL='-n -m -u -p --mount-proc'

echo '-- epmd is inside, and so is the cookie of its user'
inside "$ALL" "$WITH; $OWN; $COOKIE_FILE" -sname box
into
echo '-- epmd on another port, long name, cookie on the command line'
inside "$ALL" "export ERL_EPMD_PORT=7777; $WITH" -name box@127.0.0.1 -setcookie said
into
echo '-- no epmd: a port that it was given'
inside "$ALL" "$UP; $COOKIE_FILE" -sname box -start_epmd false -erl_epmd_port 7778
into
echo '-- epmd has ended; the node listens on any port, and on another that is for something else'
inside "$ALL" "$WITH; $COOKIE_FILE" -sname box \
	-eval '{ok, _} = gen_tcp:listen(0, [{ip, {127, 0, 0, 1}}]), os:cmd("epmd -kill"), "epmd: Cannot connect" ++ _ = os:cmd("epmd -names")'
into
echo '-- the cookie is in releases/COOKIE'
SET='{ok, C} = file:read_file("release/releases/COOKIE"), erlang:set_cookie(list_to_atom(string:trim(binary_to_list(C))))'
inside "$ALL" "$WITH; mount -t tmpfs tmpfs $PWD/release; mkdir release/releases; echo of_release >release/releases/COOKIE; export RELEASE_ROOT=$PWD/release" \
	-sname box -eval "$SET"
into
echo '-- the cookie is in RELEASE_COOKIE'
inside "$ALL" "$WITH; export RELEASE_COOKIE=of_environment" -sname box -eval 'erlang:set_cookie(list_to_atom(os:getenv("RELEASE_COOKIE")))'
into
echo '-- nobody can know the cookie'
inside "$ALL" "$WITH; $COOKIE_FILE" -sname box -eval 'erlang:set_cookie(changed)'
into
into --cookie wrong
into --cookie changed
echo '-- it has no name'
inside "$ALL" "$UP"
into
echo '-- its user is another one; in its root is no /tmp, and the cookie is in the home of its user, where a link leads'
mkdir root
inside "$ALL" "$WITH; mount -t tmpfs tmpfs root
	for d in /*; do
		case \$d in
		/tmp | /root | /home) ;;
		*) if [ -L \$d ]; then cp -P \$d root; elif [ -d \$d ]; then mkdir root\$d; mount --rbind \$d root\$d; fi ;;
		esac
	done
	sed /:65534:/d /etc/passwd >passwd.inner; echo them:x:65534:65534::/home:/bin/sh >>passwd.inner
	mount --bind passwd.inner root/etc/passwd
	mkdir -m 755 root/home root/nowhere root/inner_secrets
	echo -n of_nobody >root/inner_secrets/cookie
	chmod 400 root/inner_secrets/cookie
	chown 65534 root/inner_secrets/cookie root/home root/nowhere
	ln -s /inner_secrets/cookie root/home/.erlang.cookie
	export HOME=/nowhere
	exec chroot root setpriv --reuid=65534 --regid=65534 --clear-groups \"\$ERL_THERE\" \"\$@\"" -sname box \
	-eval '{ok, C} = file:read_file("/home/.erlang.cookie"), erlang:set_cookie(binary_to_atom(C))'
into
