# Commands that come while others end, and with them what they have sent to the node, get along: all succeed.
# @@timeout: 120
. "$srcdir/lib.sh"
node_start
for j in 1 2 3; do
	(
		failed=0
		for i in 1 2 3 4 5 6; do
			trace -q -n 'BEGIN { exit(0); }' >"many$j.$i" 2>&1 || { failed=$((failed + 1)); cat "many$j.$i"; }
			[ $((i % j)) = 0 ] && sleep 0.2
		done
		echo "$failed failed"
	) >"many$j" &
	jobs="$jobs $!"
done
wait $jobs
cat many1 many2 many3
grep -c 'must be purged' "$NODE.log"
clean_node
