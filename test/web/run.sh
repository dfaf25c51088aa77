# run.sh BUILD RESULTS [LABEL [PART…]]: the tests of the page and its server. Parts: protocol (no browser), hostile and fuzz (parts of protocol), page (Chromium), node (an Erlang
# node, partly with Chromium). Without parts: all of them, and with a sanitizer (SAN) the protocol only. Adds "passed failed skipped label"
# lines to RESULTS. What the tests need from npm is put into build/web-test, or found by NODE_PATH.
build=$(cd "$1" && pwd) results=$2 label=$3
top=$(cd "$(dirname "$0")/../.." && pwd)
[ $# -gt 3 ] && shift 3 || set -- protocol ${SAN:+-} page node
status=0

result() { # result PASSED FAILED SKIPPED LABEL
	echo "$*" >>"$results"
	echo "== $4: $1 passed, $2 failed, $3 skipped"
	[ "$2" = 0 ] || status=1
}
skip() { # skip LABEL WHY
	echo "skipped: $2"
	result 0 0 1 "$1"
}
modules() {
	[ -n "$NODE_PATH" ] && return 0
	NODE_PATH=$top/build/web-test/node_modules
	export NODE_PATH
	cmp -s "$top/test/web/package-lock.json" "$top/build/web-test/package-lock.json" && [ -e "$NODE_PATH/.done" ] && return 0
	mkdir -p "$top/build/web-test" && cp "$top/test/web/package.json" "$top/test/web/package-lock.json" "$top/build/web-test/" &&
		(cd "$top/build/web-test" && npm ci --ignore-scripts --no-audit --no-fund) >"$top/build/web-test/log" 2>&1 && : >"$NODE_PATH/.done"
}

why=
if "$build/erltrace" serve --help 2>&1 | grep -q 'built without'; then
	why='the command was built without the page'
elif ! command -v node >/dev/null || ! command -v npm >/dev/null; then
	why='Node.js and npm are not installed'
elif ! modules; then
	why="npm could not get playwright-core and ws: $(grep -v warn "$top/build/web-test/log" | head -n 1)"
fi
for part; do
	[ "$part" = - ] && break # with a sanitizer
	if [ -n "$why" ]; then
		skip "${label}page: $part" "$why"
	elif [ "$part" = page ] && ! command -v "${CHROMIUM:-chromium}" >/dev/null; then
		skip "${label}page: $part" 'Chromium is not installed'
	elif [ "$part" = node ] && ! command -v erl >/dev/null; then
		skip "${label}page: $part" 'Erlang is not installed'
	else
		counts=$(mktemp)
		limit=$(awk -v n="$(nproc)" '{ f = $1 / (2 * n + 1); print int(600 * (f < 1 ? 1 : f > 6 ? 6 : f)) }' /proc/loadavg)
		COUNTS=$counts timeout -k 5 "$limit" node "$top/test/web/run.mjs" "$build/erltrace" "$part" || echo "ended with $?"
		set -- $(cat "$counts") # the parts that are left are in the loop's own list
		rm -f "$counts"
		[ $# = 3 ] || set -- 0 1 0
		result "$1" "$2" "$3" "${label}page: $part"
	fi
done
exit $status
