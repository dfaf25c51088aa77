# argN of an erlang probe is usually the address of a text or a term. Using it as a number is an error that says what to
# write instead; so is name() where its text would have to be known. Comparing with NULL, copyinstr(), offsets and casts
# work as usual, and other probes are not affected.
# @@timeout: 120
. "$srcdir/lib.sh"
node_start
err() {
	trace -xerrtags -n "$1 BEGIN { exit(0); }" >out 2>&1
	echo "status $? $(sed -n 's/.*\(\[D_[A-Z_]*\]\).*: \(.*\)/\1 \2/p' out)"
	tail -1 out
}
err 'erlang*:lists:map/2:entry { @ = quantize(arg0); }'
err 'erlang*:::message-send { @[arg1] = count(); }'
err 'erlang*:::message-send { @[args[1]] = count(); }'
err 'erlang*:::message-send { @ = sum(arg0 + 1); }'
err 'erlang*:::message-send /arg0 > 5/ { }'
err 'erlang*:lists::entry { @ = sum(arg0 * 2); }'
err 'erlang*:lists:map/2:return { @ = quantize(arg1); }'
err 'erlang*:lists:map/2:exception { trace(arg1); }'
err 'erlang*:::message-send { print(arg0); }'
err 'erlang*:::message-send, erlang*:::process-spawn { @[arg1] = count(); }'
err 'erlang*:::message-send /name(arg0) == "x"/ { }'
err 'erlang*:::message-send { name(arg0); }'
err 'erlang*:::message-send { self->x = name(arg0); }'
err 'erlang*:::message-send { trace(strlen(name(arg0))); }'
err 'erlang*:::message-send { last[name(arg0)] = 1; }'
err 'erlang*:::message-send { trace(name(1, 2)); }'
err 'BEGIN { trace(name(17)); }'
fine() {
	trace -q -n "$1 BEGIN { exit(0); }" >out 2>err
	status=$?
	echo "status $status"
	[ $status = 0 ] || cat err
	grep -v '^ *$' out
}
# a script of OTP's own prints one so
fine 'erlang*:::message-send { printf("%d", arg0); }'
fine 'erlang*:::message-send /arg1 == NULL || arg0 != 0/ { @[(uintptr_t)arg1] = sum((uintptr_t)arg0); @n = sum(arg2); printf("%p %x", arg0, arg0); }'
fine 'erlang*:::message-send { trace(copyinstr(arg0 + 1)); @[copyinstr(arg1), name(arg0), name(args[0])] = quantize(args[2] + 1); }'
fine 'erlang*:::message-send, erlang*:::gc_minor-start { @[copyinstr(arg0)] = sum(arg1 + 1); }'
fine 'erlang*:lists:map/2:entry { @[args[0]] = sum(args[1]); }'
fine 'erlang*:lists::return { self->x = arg0; @[name(eproc)] = count(); }'
fine 'tick-1s { @[arg0] = sum(arg1 * 2); }'
fine 'int name; BEGIN { name = 3; this->name = name; trace(name); }'
