# Asserts that the probes that exist only as the VM's own USDT notes fire, with the arguments that are listed for them.
# @@timeout: 90
. "$srcdir/common.sh"
vm rows
traced out -n 'BEGIN { printf("on\n"); }
erlang*:::driver-finish /copyinstr(arg0) == "trace_file_drv"/ { @[probename, copyinstr(arg0), ""] = count(); }
erlang*:::driver-stop_select { @[probename, substr(copyinstr(arg0), 0, 5), ""] = count(); }
erlang*:::driver-ready_input,erlang*:::driver-ready_output { @[probename, copyinstr(arg2), substr(copyinstr(arg1), 0, 6)] = count(); }
erlang*:::port-busy,erlang*:::port-not_busy { @[probename, substr(copyinstr(arg0), 0, 6), ""] = count(); }
erlang*:::copy-struct /arg0 > 0/ { @[probename, "", ""] = count(); }
erlang*:::message-receive /arg1 >= 0 && args[2] >= 0 && substr(copyinstr(arg0), 0, 3) == "<0."/ { @[probename, "", ""] = count(); }
END { printa("%s %s %s.\n", @); }'
sort out | uniq | sed '/^$/d'
# Drivers inside the VM are there from its start: a file that nobody runs yet is named by its path, and -c runs it like any command.
beam=$OTP_USDT/erts/beam.smp
$K -x engine=kernel -n "erlang*:'$beam'::driver-init /args[1] == 3 && arg2 > 0/ { @[copyinstr(arg0)] = count(); } END { printa(\"init %s %@d\n\", @); }" \
	-c "$OTP_USDT/bin/erl -noshell -eval halt()." 2>/dev/null | grep -E 'tcp_inet|ram_file'
