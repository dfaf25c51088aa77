# scripts/file-io.d gives calls and bytes of reads and writes by file, and scripts/tcp-io.d bytes by peer and process, in
# active and passive mode: numbers are exact. iolist_size() counts bytes of nested lists, and is a fault for what is no
# io-list.
# @@timeout: 120
. "$srcdir/lib.sh"
fail() {
	echo "$*" >&2
	exit 1
}
run() {
	got=$(node_eval "$1")
	[ "$got" = "${2:-ok}" ] || fail "$1 gives $got"
}
has() {
	grep -Eq "$1" "$2" || fail "nothing like $1: $(cat "$2")"
}
node_start -pa "$BUILD/test/erlang"
trace_start files -s "$srcdir/../../scripts/file-io.d"
run "insides:files(\"$PWD\")."
trace_stop
has "^$PWD/known open 2 0 [0-9]+ [0-9]+\$" files.txt
has "^$PWD/known write 20 30000 " files.txt
has "^$PWD/known pwrite 1 4 " files.txt
has "^$PWD/known sync 1 0 " files.txt
has "^$PWD/known read 4 30000 " files.txt
has "^$PWD/known pread 1 2 " files.txt
has "^$PWD/known read_file 1 30000 " files.txt
has "^$PWD/known close 2 0 " files.txt
has "^$PWD/missing read_file 1 0 " files.txt

port=$(node_eval 'insides:sockets().')
trace_start tcp -s "$srcdir/../../scripts/tcp-io.d"
run 'insides:sockets(50, 4000).' 100000
trace_stop
has "^tcp 127.0.0.1:$port sent 50 200000\$" tcp.txt
has "^client sent 200000\$" tcp.txt
has "^server sent 100000\$" tcp.txt
has "^server received 200000\$" tcp.txt
has "^client received 100000\$" tcp.txt
has "^tcp 127.0.0.1:$port received [0-9]+ 100000\$" tcp.txt
has "^tcp 127.0.0.1:[0-9]+ received 50 200000\$" tcp.txt

trace_start sizes -n 'erlang*:erlang:external_size/1:entry { printf("size %d\n", iolist_size(args[0])); } ERROR { printf("fault %d\n", arg4); }'
run '[erlang:external_size(T) || T <- [<<>>, [], <<"abc">>, ["abc", <<"de">> | <<"f">>], [[[[$a]]], [], [<<0:80>>]]]], erlang:external_size([a]), erlang:external_size([1 | 2]), erlang:external_size([256]), erlang:external_size(lists:duplicate(10000, $a)), ok.'
trace_stop
[ "$(grep -E '^(size|fault)' sizes.txt | tr '\n' ' ')" = 'size 0 size 0 size 3 size 6 size 11 fault 3 fault 3 fault 3 size 4294967295 ' ] || fail "sizes: $(cat sizes.txt)"
[ "$(clean_node)" = clean ] || fail 'not clean'
exit 0
