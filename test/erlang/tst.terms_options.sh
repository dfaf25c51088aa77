# termparts and termbytes set how much of its terms an event may look at. With less, a size is unknown and text is cut;
# with more, it is known and whole; cut ones are counted. Values out of range are refused with the range.
# @@timeout: 90
. "$srcdir/lib.sh"
cat >to.erl <<'END'
-module(to).
-export([list/1, bytes/2]).
list(L) -> length(L).
bytes(A, B) -> byte_size(A) + byte_size(B).
END
erlc to.erl || exit 1
node_start -pa . -s to module_info

# options, the script's clause, what the node does
look() {
	trace_start out -x strsize=64k -x scratchsize=1m $1 -n "$2"
	node_eval "$3" >/dev/null
	trace_stop 2>errors
	# the drops may be reported in several lines
	echo "$1:" $(cat out.txt) $(grep -q 'term' errors && echo 1 || echo 0)
}
list='erlang*:to:list/1:entry { printf("%d\n", length(args[0])); }'
for parts in 256 4096 65536; do
	look "-x termparts=$parts" "$list" "[to:list(lists:seq(1, N)) || N <- [1000, 20000, 400000]]."
done
# a list of characters as far as it may be looked at, with something else after that
look '-x termparts=256' 'erlang*:to:list/1:entry { printf("%s\n", substr(text(args[0]), 2095)); }' 'to:list(lists:duplicate(2100, 97) ++ [{x}]).'
bytes='erlang*:to:bytes/2:entry { printf("%d %d\n", strlen(binary(args[0])), strlen(binary(args[1]))); }'
for size in 1k 64k 1m; do
	look "-x termbytes=$size" "$bytes" 'B = binary:copy(<<"x">>, 40000), to:bytes(B, B).'
done
for option in termparts=255 termparts=65537 termbytes=255 termbytes=1025k; do
	trace -x $option -n 'BEGIN { exit(0); }' 2>&1 | grep -o "$(echo $option | cut -d= -f1) is.*"
done
clean_node
