# A script that traces every function does not disturb another that looks at the value of one function, and leaves it as
# it was; nor the other way round.
. "$srcdir/lib.sh"

cat >tw.erl <<'END'
-module(tw).
-export([go/0, f/1]).
go() -> [f(N) || N <- [1, 2, 3]], ok.
f(N) -> N * 10.
END
erlc tw.erl || exit 1
node_start -pa . -s tw module_info
one='erlang*:tw:f/1:return { @ = sum(args[0]); @n = count(); }'
all='erlang*:::function-entry /copyinstr(arg1) == "tw:f/1"/ { @all = count(); }'
sums() {
	trace_stop
	tr '\n' ' ' <$trace_out.txt
	echo "$1"
}
# the one first
trace_start one -n "$one"
ONE=$TRACE_PID
trace_start all -n "$all"
node_eval 'tw:go().'
sums 'all'
node_eval 'tw:go().'
TRACE_PID=$ONE
trace_out=one
sums 'one of two'
# the other first
trace_start all -n "$all"
ALL=$TRACE_PID
trace_start one -n "$one"
node_eval 'tw:go().'
sums 'one'
node_eval 'tw:go().'
TRACE_PID=$ALL
trace_out=all
sums 'all of two'
clean_node
