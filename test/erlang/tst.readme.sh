# Every command for a node in README.md, docs/erlang.md and docs/operators.md works for a second without an error
# message.
# @@timeout: 480
. "$srcdir/workload.sh"
node_start
top=$(cd "$srcdir/../.." && pwd)
sed -n 's/^    \(\$ \)\{0,1\}\(erltrace -N .*\)/\2/p' "$top/README.md" "$top/docs/erlang.md" "$top/docs/operators.md" | sed 's/  *# .*//' >commands.txt
"$ERLTRACE" -xengine=kernel -qn 'BEGIN { exit(0); }' >/dev/null 2>&1 || sed -i /syscall/d commands.txt # these need root
[ "$(wc -l <commands.txt)" -ge 6 ] || fail 'examples are missing'
bin=$(dirname "$ERLTRACE")
ln -s "$top/scripts" scripts
while IFS= read -r line; do
	line=$(echo "$line" | sed "s/-N rabbit /-N shop /; s/rabbit_exchange:route/lists:seq/; s/shop_db:store/lists:seq/g; s/function-calls shop_db/function-calls logger/; s/shop_db\$/lists/; s/Shop.Repo.get.2/lists:keyfind/; s/-N shop@host --cookie C/-N shop/; s/-N shop/-N $name --cookie $cookie/")
	(
		PATH=$bin:$PATH
		export PATH
		eval "exec $line --for 1s"
	) >out 2>err &
	trace_pid=$!
	i=0
	while kill -0 $trace_pid 2>/dev/null && [ $i -lt 600 ]; do
		sleep 0.1
		i=$((i + 1))
	done
	kill -TERM $trace_pid 2>/dev/null
	wait $trace_pid
	status=$?
	trace_pid=
	grep -q 'there is nothing to draw' err && continue # a picture of a node that does nothing
	[ $status -eq 0 ] || fail "status $status: $line"
	# a node that does nothing, and what is said of that
	sed -i -e '/never fired: /d; /no call was seen/d; /matches .* functions* /d; / costs .*says more$/d' err
	[ -s err ] && ! grep -q "^erltrace: description\|matched" err && fail "complains: $line"
done <commands.txt
exit 0
