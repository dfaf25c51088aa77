# Asserts the messages about an installed VM, which has no USDT probes (why, and what to do instead), about probes that
# only the tracer or only the VM has, and about Erlang functions.
# @@timeout: 90
. "$srcdir/common.sh"
name=usdt_err_$$
says() { # says WORDS OPTION…
	words=$1
	shift
	$K "$@" -p $pid >out 2>&1 && echo "it ran"
	if tr '\n' ' ' <out | grep -qF "$words"; then echo "says: $words"; else cat out; fi
}
stock main
says 'its VM was built without USDT probes' -n 'erlang*:::process-spawn { trace(0); }'
says 'was built without USDT probes (configure --with-dynamic-trace=systemtap); attach to the node, whose tracer needs none: -N NODE' \
	-x engine=kernel -n 'erlang$target:::process-spawn { trace(0); }'
says 'was built without USDT probes (configure --with-dynamic-trace=systemtap), and the tracer does not tell of this one' \
	-x engine=kernel -n 'erlang$target:::message-receive { trace(0); }'
kill $pid
stock main -sname $name -setcookie usdt
says 'needs the kernel engine: the tracer does not tell of it, only the USDT probes of an OTP built --with-dynamic-trace=systemtap do (-x engine=kernel -p PID)' \
	--cookie usdt -n 'erlang*:::message-receive { trace(0); }'
kill $pid
vm main
says 'the tracer of a node that is attached to gives it: -N NODE' -n 'erlang$target:::process-register { trace(0); }'
says 'functions of Erlang are probes of a node that is attached to: -N NODE' -n 'erlang$target:lists:seq/2:entry { trace(0); }'
says "did you mean 'process-spawn'" -n 'erlang$target:::process-spwan { trace(0); }'
kill $pid
