# The node cannot read the library where the command has it, and cannot execute or write files in the usual places. The
# library is put into the next place that works. If there is none, a command that is root lends a folder, and another one
# says why there is none. Neither files nor modules nor descriptors are left, also if the command is killed in the
# meantime.
# @@timeout: 240
. "$srcdir/lib.sh"
[ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null || { echo "needs the right to mount" >&2; exit 67; }
mkdir home hidden other open "$PWD/with space"
# a node that sees other file systems: node_in 'mount commands'
REAL=$(command -v "${ERL:-erl}")
node_in() {
	cat >enter <<-END
	unset TMPDIR
	export HOME=$PWD/home
	mount --make-rprivate / && mount --bind $PWD/hidden $BUILD/otp/erltrace/priv && $1 && exec $REAL "\$@"
	END
	printf '#!/bin/sh\nexec unshare -m sh %s/enter "$@"\n' "$PWD" >erl-there
	chmod +x erl-there
	node_end
	ERL=$PWD/erl-there node_start
}
left() { # what is there
	echo "$1: $(clean_node $2); $(node_files /tmp /var/tmp /dev/shm "$PWD/home" "$PWD/with space" "$PWD/open" | wc -l) files"
	ls -l "/proc/$NODE_PID/fd" | sed -n 's/.*-> \/$/a folder is open/p'
}
# a command that may not do everything
printf '#!/bin/sh\nexec setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin "%s" "$@"\n' "$ERLTRACE" >less
chmod +x less
ok() { trace -q "$@" -n 'BEGIN { printf("%s", "traced"); exit(0); }' 2>&1 | sed -e "s|$PWD|HERE|g; s/node [^ ]*: //"; echo; }
NOEXEC='mount -t tmpfs -o noexec tmpfs'
READONLY='mount -t tmpfs -o ro tmpfs'

node_in "true"
ok
left usual
node_in "umask 0 && $NOEXEC /tmp && mkdir -p $PWD/home"
ok
left 'noexec /tmp'
OWN="mount -t tmpfs tmpfs /tmp && mkdir -p $PWD/home '$PWD/with space' $PWD/open && chmod 777 $PWD/open"
node_in "$OWN && $READONLY /var/tmp && $NOEXEC /dev/shm && $NOEXEC $PWD/home && mount -o remount,ro /tmp"
ERLTRACE=$PWD/less ok | sed -e 's/; /\n/g'
left nowhere
ok
left lent
trace_start out -n 'erlang*:lists:droplast/1:entry { @calls = count(); }'
node_eval '[lists:droplast([x]) || _ <- lists:seq(1, 12345)], ok.'
trace_stop && cat out.txt
left 'lent, and counted'
node_in "$OWN && $READONLY /var/tmp && $READONLY /dev/shm && $NOEXEC $PWD/home && mount -t tmpfs tmpfs '$PWD/with space' && mount -o remount,ro /tmp"
ok -x "nodedir=$PWD/with space"
left told
ok -x nodedir="$PWD/open"
left 'others may'
node_in "$OWN && mount -t tmpfs -o size=64k tmpfs '$PWD/with space'"
ok -x "nodedir=$PWD/with space"
left full
# killed while it attaches: at twelve moments of the time that this takes now
killed() {
	from=$(date +%s%N)
	ok >/dev/null
	step=$((($(date +%s%N) - from) / 12))
	i=0
	while [ $i -lt 12 ]; do
		"$ERLTRACE" -N "$NODE" --cookie "$COOKIE" -q -n 'BEGIN { printf("%s", "traced"); exit(0); }' >/dev/null 2>&1 &
		sleep "$(printf %d.%09d $((i * step / 1000000000)) $((i * step % 1000000000)))"
		kill -9 $! 2>/dev/null
		wait $! 2>/dev/null
		i=$((i + 1))
	done
}
node_in true
killed
left killed attaching
node_in "$OWN && $READONLY /var/tmp && $NOEXEC /dev/shm && $NOEXEC $PWD/home && mount -o remount,ro /tmp"
killed
left 'killed while it lends' attaching
