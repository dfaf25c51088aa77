# Ready-made scripts about messages: how many go from whom to whom, their size in words, and a known latency in the
# right bucket.
# @@timeout: 60
. "$srcdir/workload.sh"
scripts=$srcdir/../../scripts
node_start

trace -qs "$scripts/messages.d"
work '{send,1000}'
to=$answer
trace_end
# the messages and the one that says stop
want "^ +<0\.[0-9]+\.0> +$to +1001\$" "^ +$to +1001\$"

# replies go to an alias that each call has for itself: they are one line
trace -qs "$scripts/messages.d"
work '{ask,100}'
to=$answer
trace_end
want "^ +$to .* the alias of a caller +100\$"
! grep -F '#Ref' out || fail 'aliases are keys'

# {workload, N} is a tuple of two: three words
trace -qn 'erlang*:::message-send { @[copyinstr(arg1), arg2] = count(); }'
work '{send,500}'
to=$answer
trace_end
want "^ +$to +3 +500\$" "^ +$to +0 +1\$"

# The receiver cannot run for 40 ms: 2^25 to 2^26 ns are 33 to 67 ms.
trace -qs "$scripts/message-latency.d"
work '{late,10,40}'
trace_end
want_late 33554432 10
