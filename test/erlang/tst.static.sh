# The static command (`make static`) needs no file of the machine: in an empty root it runs a script, traces a node and
# counts exactly, serves the page with TLS and without, and runs a script in the kernel.
STATIC=$BUILD/static/erltrace
[ -e "$STATIC" ] || { echo "not built: make static" >&2; exit 67; }
[ "$(id -u)" = 0 ] || { echo "only root may change its root" >&2; exit 67; }
. "$srcdir/lib.sh"
readelf -lW "$STATIC" | grep -E 'INTERP|DYNAMIC' && exit 1
[ "$(readelf -lW "$STATIC" | awk '$1 == "GNU_STACK" { print $6 }')" = 0x800000 ] || echo 'threads have small stacks'

mkdir empty && cp "$STATIC" empty/erltrace || exit
alone() {
	env -i "PATH=$PATH" chroot empty /erltrace "$@"
}
echo '-- nothing but the file'
alone -qn 'BEGIN { printf("%d %s\n", 6 * 7, strjoin("from an ", "empty root")); exit(0); }'
alone -qn 'syscall::write:entry { exit(0); }' 2>&1 | grep -o '/sys/kernel/btf/vmlinux is not there'

echo '-- a node'
# by address: there is no file with names of machines in that root
NODE=erltrace-test-$$@127.0.0.1
"${ERL:-erl}" -name "$NODE" -setcookie "$COOKIE" -noinput -kernel logger_level error +S 2 -eval 'io:format("up~n")' >node.log 2>&1 &
NODE_PID=$!
NODES=$!
until grep -q '^up' node.log; do
	kill -0 $NODE_PID || exit
	sleep 0.05
done
printf '#!/bin/sh\nexec env -i "PATH=$PATH" chroot "%s" /erltrace "$@"\n' "$PWD/empty" >alone
chmod +x alone
ERLTRACE=$PWD/alone
evaluate() { # node_eval, for this name
	call_node "$1" "$ERL_CALL" -name "$NODE"
}
trace_start out -n 'erlang*:lists:droplast/1:entry { @calls = count(); }'
evaluate '[lists:droplast([x]) || _ <- lists:seq(1, 12345)], done.' >/dev/null
trace_stop && cat out.txt
left=$(evaluate 'timer:sleep(1), [M || M <- erlang:loaded(), lists:prefix("erltrace", atom_to_list(M))].')
for _ in $(seq 300); do
	[ "$left" != '{ok, []}' ] || break
	sleep 0.1
	left=$(evaluate '[M || M <- erlang:loaded(), lists:prefix("erltrace", atom_to_list(M))].')
done
echo "left: $left"

# page OPTION…: what a browser gets first, and the script that it runs
page() {
	: >url
	alone serve --port 0 "$@" >url 2>url.err &
	NODES="$NODES $!"
	server=$!
	until grep -q token url; do
		kill -0 $server 2>/dev/null || { cat url.err; return; }
		sleep 0.05
	done
	curl -sk --compressed -L -c jar -o page.html -w '%{http_code} %{content_type}\n' "$(grep -o 'http[^ ]*' url)"
	grep -o '<title>[a-z]*' page.html
	kill $server
	wait $server 2>/dev/null
}
if command -v curl >/dev/null; then
	echo '-- the page'
	alone serve --port 0 2>&1
	mkdir empty/dev && mknod -m 644 empty/dev/urandom c 1 9 || exit
	page
	openssl req -x509 -newkey rsa:2048 -nodes -keyout empty/key.pem -out empty/cert.pem -subj /CN=localhost -days 2 2>/dev/null
	page --tls-cert /cert.pem --tls-key /key.pem
else
	echo "curl is not installed" >&2
	exit 67
fi

echo '-- the kernel'
# (Its own command is the only program there.)
mkdir empty/proc empty/sys
unshare -m sh -c 'mount --bind /proc empty/proc && mount --rbind /sys empty/sys && exec env -i "PATH=$PATH" chroot empty /erltrace "$@"' sh \
	-q -c '/erltrace -V' -n 'syscall::execve:entry, syscall::execve:return /pid == $target/ { @[probename] = count(); }
		syscall::write*:entry /pid == $target && arg0 == 1/ { @[execname] = count(); }' 2>err | sed '/^$/d; s/  */ /g; s/ D [0-9.]*$/ D N/' || cat err
