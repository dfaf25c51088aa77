# Asserts which function probes fire: without the JIT all of them, exactly. With the JIT calls are refused, because the VM
# may crash, and the message says the ways out; of them, the tracer's probes count exactly. Other probes of such a VM
# stay, and a pattern does not mean those that are refused.
# @@timeout: 120
. "$srcdir/common.sh"
vm main -emu_flavor emu
traced emu -n 'BEGIN { printf("on\n"); }
erlang*:::local-function-entry,erlang*:::global-function-entry,erlang*:::function-entry /copyinstr(arg1) == "load:called/1"/ { @[probename] = count(); }
erlang*:::function-return /copyinstr(arg1) == "load:called/1"/ { @[probename] = count(); }
END { printa("%s %@d\n", @); }'
sort emu | sed '/^$/d'

name=usdt_fun_$$
vm main -sname $name -setcookie usdt
for d in 'erlang$target:::global-function-entry' 'erlang$target:::function-entry' "erlang*:'$OTP_USDT/erts/beam.smp'::global-function-entry"; do
	$K -x engine=kernel -n "$d { @ = count(); }" -p $pid >out 2>&1 && echo "it ran: $d"
	tr '\n' ' ' <out | grep -o "may crash at this probe, so it is refused: attach to the node, whose tracer gives calls of functions (-N NODE -n 'erlang\*:MODULE:FUNCTION/ARITY:entry'), or start the VM without the JIT (erl -emu_flavor emu)"
done
$ERLTRACE -x engine=kernel -ln "erlang$pid:::*" | grep -c -e global-function-entry
$ERLTRACE -x engine=kernel -ln "erlang$pid:::*" | grep -q ' message-send$' && echo 'others are there'
traced named --cookie usdt -n 'BEGIN { printf("on\n"); } erlang*:load:called/1:entry { @[probename] = count(); } END { printa("jit %s %@d\n", @); }'
grep jit named
