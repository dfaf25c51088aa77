# Asserts which function probes fire: without the JIT all of them, exactly; with it, only the calls that the VM makes
# itself, and the VM keeps working.
# @@timeout: 120
. "$srcdir/common.sh"
vm main -emu_flavor emu
traced emu -n 'BEGIN { printf("on\n"); }
erlang*:::local-function-entry,erlang*:::global-function-entry,erlang*:::function-entry /copyinstr(arg1) == "load:called/1"/ { @[probename] = count(); }
erlang*:::function-return /copyinstr(arg1) == "load:called/1"/ { @[probename] = count(); }
END { printa("%s %@d\n", @); }'
sort emu | sed '/^$/d'
vm applied
traced jit -n 'BEGIN { printf("on\n"); }
erlang*:::global-function-entry /copyinstr(arg1) == "load:called/1"/ { @[probename] = count(); } END { printa("jit %s %@d\n", @); }'
grep jit jit
