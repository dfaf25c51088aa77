# -p as root, on a process whose user has set traps: it names other people's cookies so that we answer with them, a pipe
# instead of a file, and files on a file system that does not answer.
# @@timeout: 90
. "$srcdir/lib.sh"
. "$srcdir/container.sh"
# the scratch folder belongs to root
there=$(mktemp -d) || exit
trap 'exec 4>&-; node_end; rm -rf --one-file-system "$there"' EXIT
chmod 755 "$there"
mkdir "$there/theirs" "$there/others" "$there/ours" m
for whose in theirs:65534 others:65533 ours:0; do
	echo -n "of_${whose%:*}" >"$there/${whose%:*}/.erlang.cookie"
	chmod 400 "$there/${whose%:*}/.erlang.cookie"
	chown -R "${whose#*:}:${whose#*:}" "$there/${whose%:*}"
	chmod 700 "$there/${whose%:*}"
done
UNSHARE='setpriv --reuid=65534 --regid=65534 --clear-groups env'
as_them() { # as_them 'COMMANDS' [erl arguments]: a node of theirs; what `inside` does, without namespaces
	printf '%s\n' 'set -e' "cd $there/theirs" "$1" 'exec "$ERL_THERE" "$@"' >"$there/enter"
	shift
	: >inside.log
	ERL_THERE=$(command -v "${ERL:-erl}") HOME=$there/theirs $UNSHARE sh "$there/enter" -noinput -kernel logger_level none +S 2 -sname "trap$$" "$@" \
		-eval "$WORK" >inside.log 2>&1 &
	INNER=$!
	NODES="$NODES $INNER"
	for _ in $(seq 1200); do
		grep -q '^up' inside.log && return
		sleep 0.05
	done
	echo "the node did not start: $(cat inside.log)" >&2
	exit 1
}
gone() { # the next one has the same name
	kill -9 "$INNER"
	wait "$INNER" 2>/dev/null
}
HOME=$there/ours
export HOME

echo '-- a home that its user may not read: the cookie there is somebody else'"'"'s'
as_them "export HOME=$there/others XDG_CONFIG_HOME=$there/others RELEASE_ROOT=$there/others" -setcookie said -eval 'erlang:set_cookie(of_others)'
into
gone
echo '-- no cookie: ours is not for it'
as_them : -eval "ok = file:delete(\"$there/theirs/.erlang.cookie\"), erlang:set_cookie(of_ours)"
into
into --cookie of_ours
gone
echo '-- a pipe: whoever waits for a reader there still waits'
mkfifo "$there/theirs/vm.args"
chown 65534 "$there/theirs/vm.args"
sh -c 'echo -setcookie piped >"$1"; echo "a reader came" >fifo.log' sh "$there/theirs/vm.args" &
writer=$!
as_them "export RELEASE_VM_ARGS=$there/theirs/vm.args" -setcookie said
into
[ ! -e fifo.log ] && kill -0 $writer 2>/dev/null && echo 'no reader' || cat fifo.log
kill $writer 2>/dev/null
wait $writer 2>/dev/null
gone

echo '-- a file system that does not answer'
UNSHARE=env
as_them "export RELEASE_VM_ARGS=$PWD/m/vm.args" -setcookie said
mkfifo hostile.in
head -c 100000 /dev/zero >some
"$BUILD/test/hostile" fuse some m <hostile.in >hostile.ready 4>&- 2>hostile.err &
server=$!
exec 4>hostile.in
until grep -qs ready hostile.ready; do
	kill -0 $server 2>/dev/null || { sed 's/^/no FUSE here: /' hostile.err >&2; exit 67; }
	sleep 0.05
done
LIMIT="timeout -s KILL 40"
from=$(date +%s)
into
[ $(($(date +%s) - from)) -lt 40 ] || echo "after $(($(date +%s) - from)) s"
# And not when it should end.
"$ERLTRACE" -q -p "$INNER" -n 'erlang$target:::process-spawn { exit(0); }' 4>&- 2>stopped &
command=$!
until [ "$(ls /proc/$command/task 2>/dev/null | wc -l)" -gt 1 ] || ! kill -0 $command 2>/dev/null; do
	sleep 0.02
done
kill -TERM $command
wait $command
echo "stopped: $?"
exec 4>&-
wait $server
exit 0
