# -v says how calls are counted: by the VM or with events, and if with events, why. OTP27 names an erl of OTP 27 if the
# installed one is older.
# @@timeout: 120
. "$srcdir/lib.sh"
. "$srcdir/counters.sh"
# An older one always has the same reason, if nothing else is against it.
old='because counters of its own need OTP 27'
says() {
	trace -q -v --for 200ms "$@" 2>&1 | sed -n 's/^erltrace: //; /^calls /p' |
		if [ $way = events ]; then sed "s/counted with events, $old/counted by the VM, without events/"; else cat; fi
}
says -n 'erlang*:load:call/1:entry { @ = count(); }'
says -n 'erlang*:load:call/1:entry, erlang*:load:up/1:entry { @[copyinstr(arg1), probemod, probefunc] = count(); }'
says -n 'erlang*:load:call/1:entry { @ = count(); } erlang*:load:up/1:entry { @s = sum(1); }'
says -n 'erlang*:load:call/1:entry { @ = count(); } erlang*:load:call/1:entry { self->t = 1; }'
says -n 'erlang*:load:call/1:entry { @ = count(); } erlang*:load:down/1:return { printf("%d", 1); }'
says -n 'erlang*:load:call/1:entry { @ = count(); } erlang*:load:never/1:return { exit(0); }' -Z
says -x counters=off -n 'erlang*:load:call/1:entry { @ = count(); }'
says -x sample=2 -n 'erlang*:load:call/1:entry { @ = count(); }'
says -x bufpolicy=fill -n 'erlang*:load:call/1:entry { @ = count(); }'
says -x maxoverhead=0 -n 'erlang*:::function-entry { @[copyinstr(arg1)] = count(); }'
says -n 'erlang*:::process-spawn { @ = count(); }'
echo "after: $(clean_node)"
