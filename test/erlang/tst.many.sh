# Commands that start while others end all succeed, although those that end remove what they sent to the node. This
# holds also if each has to send the library. No folder of the library is left.
# @@timeout: 120
. "$srcdir/lib.sh"
node_start
mkdir place alone
cp "$ERLTRACE" alone/erltrace # it carries what it brings
many() { # many COMMAND…: three times six of them
	jobs=
	for j in 1 2 3; do
		(
			failed=0
			for i in 1 2 3 4 5 6; do
				"$@" -N "$NODE" --cookie "$COOKIE" -q -n 'BEGIN { exit(0); }' >"many$j.$i" 2>&1 || { failed=$((failed + 1)); cat "many$j.$i"; }
				# as long as the one before waits for others before it takes away what it brought
				[ $((i % j)) = 0 ] && sleep 0.2
			done
			echo "$failed failed"
		) >"many$j" &
		jobs="$jobs $!"
	done
	wait $jobs
	cat many1 many2 many3
}
many "$ERLTRACE"
grep -c 'must be purged' "$NODE.log"
many alone/erltrace -x nodedir="$PWD/place"
clean_node
ls place
