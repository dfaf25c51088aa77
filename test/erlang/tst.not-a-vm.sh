# -p of a process that is no VM: if one VM runs below it, as below the first process of a container or a script, that one
# is traced, and is $target. One that is only starting is waited for. Otherwise the message says which VM may be meant.
# Probes of the kernel stay with the process.
. "$srcdir/lib.sh"
about() { # about PID [options]
	pid=$1
	shift
	"$ERLTRACE" -q -p "$pid" --cookie "$COOKIE" "$@" -n 'erlang$target:::process-spawn { } BEGIN { printf("traced is %d\n", $target); exit(0); }' 2>&1 |
		sed -e '/^$/d' -e "s/\\<$$\\>/THIS/g; s/\\<$first\\>/FIRST/g; s/\\<${second:-nothing}\\>/SECOND/g; s/\\<$other\\>/OTHER/g; s/\\<${helper:-nothing}\\>/HELPER/g"
}
sleep 300 &
other=$!
NODES="$NODES $other"
node_start
first=$NODE_PID
echo '-- what has started it'
about $$
echo '-- what it has started'
helper=$(cat "/proc/$first/task/"*/children | awk '{ print $1; exit }')
about "$helper"
echo '-- another process'
about $other
echo '-- two of them'
node_start
second=$NODE_PID
about $$ | sed 's/SECOND, FIRST/FIRST, SECOND/'
about "$second"
# A VM is waited for until it is ten seconds old. One that this machine did not start by then proves nothing.
young() { # young COMMAND…
	for _ in 1 2 3 4 5; do
		"$@" &
		other=$!
		NODES="$NODES $other"
		said=$(about $other)
		case $said in
		*'is it just starting?'* | *'is no Erlang VM'*)
			kill -9 $other
			wait $other 2>/dev/null
			;;
		*) break ;;
		esac
	done
	echo "$said"
}
echo '-- one that is only starting: a script that becomes the VM'
young "${ERL:-erl}" -sname "early$$" -setcookie "$COOKIE" -noinput
echo '-- an escript, with options of its own'
cat >worker.escript <<END
#!/usr/bin/env escript
%%! -sname worker$$ -setcookie $COOKIE
main(["-sname", "another", "--cookie", "another"]) -> timer:sleep(infinity).
END
young "$(dirname "$(command -v "${ERL:-erl}")")/escript" worker.escript -sname another --cookie another
sleep 300 &
other=$!
NODES="$NODES $other"
echo '-- not for the kernel'
if [ "$(id -u)" = 0 ] && "$ERLTRACE" -q -xengine=kernel -n 'BEGIN { exit(0); }' >/dev/null 2>&1; then
	kernel='tick-10ms { printf("still %d\n", $target); exit(0); } syscall:::entry /pid == $target/ { }'
	"$ERLTRACE" -q -p $other -n "$kernel" 2>&1 | sed "/^\$/d; s/$other/OTHER/"
	"$ERLTRACE" --compile-only -o kernel.dobj -p $$ -n "$kernel"
	"$ERLTRACE" -q -p $$ kernel.dobj 2>&1 | sed "/^\$/d; s/$$/THIS/"
	command -v ip >/dev/null && unshare -n -m -u -p --fork true 2>/dev/null || { printf 'in a container\ntraced\n'; exit 0; }
else
	printf 'still OTHER\nstill THIS\nin a container\ntraced\n'
	exit 0
fi
. "$srcdir/container.sh"
own_home
inside '-n -m -u -p --mount-proc' 'ip link set lo up' -sname box -setcookie said
vm=$INNER
INNER=${NODES##* }
into 2>&1 | sed "s/^erltrace: process N (unshare) is no Erlang VM; below it is $vm, which is traced/in a container/"
