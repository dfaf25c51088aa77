# A VM without a name, in a container, cannot be attached to. What the message offers instead can be had: stacks with
# the functions of Erlang, system calls, and functions of the VM.
# @@timeout: 120
. "$srcdir/lib.sh"
. "$srcdir/container.sh"
"$ERLTRACE" -q -xengine=kernel -n 'BEGIN { exit(0); }' >/dev/null || exit 67
[ "$("${ERL:-erl}" -noshell -eval 'io:put_chars(atom_to_list(erlang:system_info(emu_flavor))), halt().' | tail -n 1)" = jit ] || { echo 'this VM has no JIT' >&2; exit 67; }
inside '-n -m -u -p --mount-proc' 'ip link set lo up' -eval 'spawn(fun Busy() -> lists:sort([3, 1 | lists:seq(1, 500)]), Busy() end)'
into | grep -o 'from the kernel: stacks with its Erlang functions\|traced'
"$ERLTRACE" -q -p "$INNER" -n 'profile-97 /pid == $target && arg1/ { @[ustack()] = count(); n++; } tick-50ms /n > 50/ { exit(0); } tick-60s { exit(9); }' >out || exit
# (sort/1 does its work in others: split_2/5, merge3_21_3/6, rmergel/2 …)
grep -o 'lists:r\{0,1\}\(split\|merge\)[a-z_0-9]*/[0-9]' out | head -n 1 | sed 's/:.*/: its functions/'
"$ERLTRACE" -q -p "$INNER" -n 'syscall:::entry /pid == $target/ { printf("a system call\n"); exit(0); } tick-60s { exit(9); }'
# the VM's own functions that its file has names for: those that drivers and NIFs may call
"$ERLTRACE" -l -p "$INNER" -n 'pid$target:beam.smp:enif_alloc:entry' | awk '$NF == "entry" { print $(NF - 2), $(NF - 1), $NF }'
