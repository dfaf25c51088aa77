# The demonstration shows a histogram in the terminal and a page whose URL works, ends by itself or by Ctrl-C, and
# leaves nothing behind.
# @@timeout: 120
command -v erl >/dev/null || { echo 'erl is not installed' >&2; exit 67; }
top=$(cd "$srcdir/../.." && pwd)
session() { # all processes of a session, but those that are at their end
	for s in /proc/[0-9]*/stat; do
		sed 's/.*) //' "$s" 2>/dev/null | awk -v sid="$1" '$4 == sid && $1 != "Z"'
	done
}
fail() {
	echo "$*" >&2
	cat out err >&2
	exit 1
}
demo() { # demo SECONDS: in a session of its own; $sid
	: >out
	setsid env --default-signal sh "$top/scripts/demo.sh" "$ERLTRACE" "$1" >out 2>err &
	sid=$!
}
demo_end() { # waits for it, and for everything that it started
	wait $sid
	status=$?
	[ $status = 0 ] || fail "ended with $status"
	nothing_left
}
nothing_left() { # of all that it started
	i=0
	while [ -n "$(session $sid)" ]; do
		i=$((i + 1))
		[ $i -lt 100 ] || fail "left behind: $(session $sid)"
		sleep 0.1
	done
}
until_out() { # until_out REGEX
	i=0
	until grep -Eq "$1" out; do
		i=$((i + 1))
		[ $i -lt 600 ] && kill -0 $sid 2>/dev/null || fail "no line: $1"
		sleep 0.1
	done
}
trap 'kill -9 -$sid 2>/dev/null' EXIT

demo 3
demo_end
grep -Eq '^ *stock +[0-9]+ +[0-9]+ +[0-9]+$' out || fail 'no table'
grep -q 'Distribution' out || fail 'no histogram'

demo 0
until_out '^ *stock'
if "$ERLTRACE" serve --help >/dev/null 2>&1; then
	grep -Eq '^http://127.0.0.1:[0-9]+/\?token=[0-9a-f]{32}$' out || fail 'no URL'
fi
kill -INT -$sid
demo_end
grep -q '^Next:' out || fail 'no end'

# who reads it may go: `make demo | head`
mkfifo pipe
setsid env --default-signal sh "$top/scripts/demo.sh" "$ERLTRACE" 0 >pipe 2>err &
sid=$!
head -n 3 pipe >out
wait $sid
[ $? -ne 0 ] || fail 'a demo that nobody reads ended well'
nothing_left
trap - EXIT
