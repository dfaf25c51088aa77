# Nodes that come and go: another one connects and ends.
# @@timeout: 60
. "$srcdir/workload.sh"
scripts=$srcdir/../../scripts
node_start
"$ERLTRACE" -N "$name" --cookie "$cookie" -qs "$scripts/dist.d" >out 2>err &
trace_pid=$!
sleep 2
erl -noinput -sname "other$$" -setcookie "$cookie" -eval "net_adm:ping('$name@$(hostname -s)'), timer:sleep(200), halt()." ||
	fail 'the other node failed'
sleep 1
trace_end
want "^monitor: '$name@[^ ]+' nodeup node 'other$$@[^ ]+' type visible reason" \
	"^monitor: '$name@[^ ]+' nodedown node 'other$$@[^ ]+' type visible reason [a-z_]+\$"
