# Ready-made scripts about connections of nodes: another node connects and ends.
# @@timeout: 60
. "$srcdir/workload.sh"
scripts=$srcdir/../../scripts
node_start
trace_marked -qs "$scripts/dist.d"
erl -noinput -sname "other$$" -setcookie "$cookie" -eval "net_adm:ping('$name@$(hostname -s)'), timer:sleep(200), halt()." ||
	fail 'the other node failed'
wait_out nodedown
trace_end
want "^monitor: '$name@[^ ]+' nodeup node 'other$$@[^ ]+' type visible reason" \
	"^monitor: '$name@[^ ]+' nodedown node 'other$$@[^ ]+' type visible reason [a-z_]+\$"
