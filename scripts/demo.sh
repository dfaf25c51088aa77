# demo.sh ERLTRACE [SECONDS]: live tracing of a node under load: how long its callers wait as a histogram in the terminal, shown anew every second,
# and a page with heatmaps of the same node, whose URL is printed. Where the node cannot be shown it fails and says why.
# Ends with Ctrl-C, or after SECONDS (15 where the output is not a terminal); leaves nothing behind.
erltrace=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
seconds=$2
[ -n "$seconds" ] || { [ -t 1 ] && seconds=0 || seconds=15; }
cd "$(dirname "$0")/.." || exit
show() {
	printf '\n$ %s\n' "$*"
}

cannot() { # cannot WHY
	echo "demo: cannot show an Erlang node: $1" >&2
	exit 1
}

work= node_pid= serve_pid= trace_pid= own_epmd=
finish() {
	[ -n "$trace_pid" ] && kill "$trace_pid" 2>/dev/null && wait "$trace_pid" 2>/dev/null
	[ -n "$serve_pid" ] && kill "$serve_pid" 2>/dev/null && wait "$serve_pid" 2>/dev/null
	[ -n "$node_pid" ] && kill "$node_pid" 2>/dev/null && wait "$node_pid" 2>/dev/null
	# a port mapper that was started for the node; one that others use by now stays
	[ -n "$own_epmd" ] && epmd -kill >/dev/null 2>&1
	[ -n "$work" ] && rm -rf "$work"
}
trap finish EXIT
trap '[ -n "$trace_pid" ] && kill "$trace_pid" 2>/dev/null' INT # it shows what it has; then this goes on to its end
trap 'exit 1' TERM HUP PIPE

# A node named shop… with three servers and eight customers.
start_shop() {
	work=$(mktemp -d) || return
	command -v epmd >/dev/null && ! epmd -names >/dev/null 2>&1 && own_epmd=yes
	erlc -o "$work" scripts/demo/shop.erl || return
	(
		exec erl +Bi -noinput -sname "$node" -setcookie "$cookie" -pa "$work" -eval 'shop:main(), io:format("open~n")'
	) >"$work/log" 2>&1 &
	node_pid=$!
	for _ in $(seq 240); do
		grep -q '^open' "$work/log" && return 0
		kill -0 $node_pid 2>/dev/null || break
		sleep 0.5
	done
	cat "$work/log" >&2
	return 1
}

# The page, on its usual port or any that is free; $url is empty where this command was built without it.
start_page() {
	url=
	"$erltrace" serve --help >/dev/null 2>&1 || return
	: >"$work/url"
	for port in 8371 0; do
		ERLTRACE_COOKIE=$cookie "$erltrace" serve --port $port -N "$node" --scripts scripts >"$work/url" 2>"$work/url.err" &
		serve_pid=$!
		for _ in $(seq 240); do
			url=$(head -n 1 "$work/url")
			[ -n "$url" ] && return
			kill -0 $serve_pid 2>/dev/null || break
			sleep 0.25
		done
		kill $serve_pid 2>/dev/null
		wait $serve_pid 2>/dev/null
		serve_pid=
	done
	cat "$work/url.err" >&2
}

[ -x "$erltrace" ] || cannot "$erltrace is not there; 'make all' builds it"
command -v erl >/dev/null || cannot "Erlang is not installed (Debian: erlang-base and erlang-dev)"
command -v erlc >/dev/null || cannot "'erl' is here, but not 'erlc', its compiler (Debian: erlang-base)"
[ -d "$(dirname "$erltrace")/otp/erltrace/ebin" ] ||
	cannot "the command was built without Erlang, whose header files were missing (Debian: erlang-dev; elsewhere: make ERL_ROOT=…)"

echo 'erltrace: DTrace for Erlang.'
node=shop$$ cookie=demo$$
echo "A node named $node, with some load, is not prepared for anything. Attaching to it:"
start_shop || cannot 'the node did not start'
show "erltrace -N $node -l -P 'erlang*' | head -4"
"$erltrace" -N "$node" --cookie "$cookie" -l -P 'erlang*' 2>"$work/list.err" | head -n 4 >"$work/list"
cat "$work/list"
[ -s "$work/list" ] || cannot "$(cat "$work/list.err")"
start_page
head=
if [ -n "$url" ]; then
	show "erltrace serve -N $node"
	echo "$url"
	head="Live heatmaps of this node in your browser: $url
"
fi
show "erltrace -N $node -qs scripts/server-latency.d"
[ -t 1 ] && head="$(printf '\033[H\033[2J')$head$([ "$seconds" = 0 ] && echo 'Ctrl-C ends.')
" && sleep 2 || head=
"$erltrace" -N "$node" --cookie "$cookie" -qs scripts/server-latency.d "$seconds" "$head" &
trace_pid=$!
wait $trace_pid
status=$?
# a signal ends the waiting, too
while kill -0 $trace_pid 2>/dev/null; do
	wait $trace_pid
	status=$?
done
trace_pid=
[ $status = 0 ] || exit $status
echo "One call in fifty to the stock server is slow: the histogram shows it."
echo
echo "Next: README.md, 'erltrace --help', and the scripts in scripts/."
