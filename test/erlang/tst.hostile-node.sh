# A hostile node cannot hurt the command: every answer that makes no sense ends the command with an error, not with a
# signal.
. "$srcdir/lib.sh"
epmd -daemon
until epmd -names >/dev/null 2>&1; do sleep 0.05; done
protocol=$(sed -n 's/.*NODE_PROTOCOL = \([0-9]*\).*/\1/p' "$srcdir/../../src/node/protocol.h")
name=erltrace-hostile-$$
escript "$srcdir/hostile.escript" "$name" "$COOKIE" "$protocol" >hostile.log 2>&1 &
NODES=$!
i=0
until grep -q '^ready' hostile.log; do
	i=$((i + 1))
	[ $i -lt 1200 ] || { cat hostile.log; exit 1; }
	sleep 0.05
done
cases=$(grep -c '^     {"\|^    \[{"' "$srcdir/hostile.escript")
n=0
while [ $n -lt "$cases" ]; do
	n=$((n + 1))
	# memory is only taken for what has come: with little of it the answer is the same
	(ulimit -v 400000 && exec "$ERLTRACE" -N "$name" --cookie "$COOKIE" -n 'BEGIN { exit(0); }') >out 2>err
	status=$?
	[ $status -eq 1 ] && grep -o 'sent what no node sends\|the connection to node [^ ]* was lost' err >>why || { echo "case $n: status $status: $(cat err)"; cat hostile.log; }
done
sed "s/$name@[^ ]*/N/" why | sort | uniq -c
echo "$n cases"
"$ERLTRACE" --cluster "$name" --cookie "$COOKIE" -n 'BEGIN { exit(0); }' >out 2>err
echo "very many nodes: status $?: $(sed 's/.*\(knows more\)/\1/' err)"
