# Ready-made scripts about ports, drivers and files: exact numbers of commands, bytes and operations.
# @@timeout: 60
. "$srcdir/workload.sh"
scripts=$srcdir/../../scripts
node_start

trace -qs "$scripts/ports.d"
work '{port,50}'
port=$answer
trace_end
want_count 1 "^open process <0\.[0-9]+\.0> name /bin/cat port $port\$"
want_count 50 "^command process <0\.[0-9]+\.0> port $port name .* type command\$"
want_count 1 "^exit process <0\.[0-9]+\.0> port $port name .* reason normal\$"

trace -qs "$scripts/drivers.d"
work '{port,100}'
port=$answer
trace_end
want '^ +/bin/cat +1$' "^ +$port +[^ ]+ +100 +1000\$"

echo text >file
trace -qs "$scripts/files.d"
work "{read,40,\"$PWD/file\"}"
trace_end
want '^read_file_nif/1 +40$'
