# demo.sh ERLTRACE [SECONDS]: live tracing. Where Erlang is: a node under load, and how long its callers wait, shown anew every second. Else: timers.
# Ends by itself, or with Ctrl-C; leaves nothing behind.
erltrace=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
seconds=${2:-15}
cd "$(dirname "$0")/.." || exit
show() {
	printf '\n$ %s\n' "$*"
}

timers() {
	show "erltrace -qs scripts/wakeups.d 4"
	"$erltrace" -qs scripts/wakeups.d 4
}

work= node_pid=
finish() {
	[ -n "$node_pid" ] && kill "$node_pid" 2>/dev/null && wait "$node_pid" 2>/dev/null
	[ -n "$work" ] && rm -rf "$work"
}
trap finish EXIT
trap : INT # the command ends by it and shows what it has; then this goes on to its end
trap 'exit 1' TERM HUP

# A node named shop… with three servers and eight customers.
start_shop() {
	work=$(mktemp -d) || return
	erlc -o "$work" scripts/demo/shop.erl || return
	(
		trap '' INT
		exec erl -noinput -sname "$node" -setcookie "$cookie" -pa "$work" -eval 'shop:main(), io:format("open~n")'
	) >"$work/log" 2>&1 &
	node_pid=$!
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		grep -q '^open' "$work/log" && return 0
		sleep 0.5
	done
	cat "$work/log" >&2
	return 1
}

echo 'erltrace: DTrace for Erlang.'
if [ -d "$(dirname "$erltrace")/otp/erltrace/ebin" ] && command -v erl >/dev/null && command -v erlc >/dev/null; then
	node=shop$$ cookie=demo$$
	echo "A node named $node, with some load, is not prepared for anything. Attaching to it:"
	start_shop || exit
	show "erltrace -N $node -l -P 'erlang*' | head -4"
	"$erltrace" -N "$node" --cookie "$cookie" -l -P 'erlang*' 2>/dev/null | head -n 4
	show "erltrace -N $node -qs scripts/server-latency.d $seconds"
	clear=
	[ -t 1 ] && clear=$(printf '\033[H\033[2J')
	sleep 1
	"$erltrace" -N "$node" --cookie "$cookie" -qs scripts/server-latency.d "$seconds" "$clear" || exit
	echo "One call in fifty to the stock server is slow: the histogram shows it."
else
	timers || exit
fi

echo
echo "Next: README.md, 'erltrace --help', and the scripts in scripts/."
