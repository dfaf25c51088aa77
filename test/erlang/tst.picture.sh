# -o FILE.svg on a node: calls of a function become a heatmap that contains every value, and its stacks a flame graph
# with functions as frames.
# @@timeout: 60
. "$srcdir/lib.sh"
erlc -o . "$srcdir/load.erl" || exit 1
node_start
trace_start out -o p.svg -n 'erlang*:load:call/1:entry { @[ustack()] = count(); @size = lquantize(args[0], 0, 10, 1); }'
node_eval 'lists:foreach(fun load:call/1, [1, 2, 3, 3]), ok.'
trace_stop
! command -v xmllint >/dev/null || xmllint --noout --nonet p.svg || exit
sed -n 's/.*<text[^>]*>@\(size\).*>  \(4 values\).*/\1: \2/p' p.svg
sed -n 's/.*<title>\(load:call\/1\) (\(4\), 100.00 %).*/\1: \2/p' p.svg
echo "after: $(clean_node)"
