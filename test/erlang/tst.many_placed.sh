# Commands that come while others end, when each has to bring the library: all succeed, and no folder of it is left.
# @@timeout: 120
. "$srcdir/lib.sh"
node_start
mkdir place alone
cp "$ERLTRACE" alone/erltrace # it carries what it brings
for j in 1 2 3; do
	(
		failed=0
		for i in 1 2 3 4 5 6; do
			alone/erltrace -N "$NODE" --cookie "$COOKIE" -x nodedir="$PWD/place" -q -n 'BEGIN { exit(0); }' >"many$j.$i" 2>&1 || { failed=$((failed + 1)); cat "many$j.$i"; }
			# as long as the one before waits for others before it takes away what it brought
			[ $((i % j)) = 0 ] && sleep 0.2
		done
		echo "$failed failed"
	) >"many$j" &
	jobs="$jobs $!"
done
wait $jobs
cat many1 many2 many3
clean_node
ls place
