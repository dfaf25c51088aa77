# Asserts that on a VM with USDT probes of its own, a script that names the node gets erltrace's: its erlang clauses in a
# script with probes of the kernel fire once for each event, with what the tracer knows, and functions by name are there.
# The numbers are exact.
# @@timeout: 120
. "$srcdir/common.sh"
cat >mixed.d <<'END'
BEGIN { printf("on\n"); main = ""; }
erlang*:::process-spawn /copyinstr(arg1) == "load:joined/0"/ { main = copyinstr(arg0); }
erlang*:::process-spawn /copyinstr(arg1) == "load:echo/1"/ { @["spawned"] = sum(1); }
erlang*:::message-send /main != "" && copyinstr(arg0) == main/ { @["sent"] = sum(1); @["words sent"] = sum(arg2); }
erlang*:::message-send /main != "" && copyinstr(arg1) == main/ { @["answered"] = sum(1); }
erlang*:load:called/1:entry { @["calls"] = sum(1); }
erlang*:::process-exit /copyinstr(arg1) == "done"/ { @["ended"] = sum(1); @names[emfa] = count(); }
syscall::write:entry /pid == $target/ { @w = count(); }
erlang*:::process-exit /main != "" && copyinstr(arg0) == main/ { exit(0); }
END { clear(@w); trunc(@w); trunc(@names); printa("%s %@d\n", @); }
END
export LINGER=3000
name=usdt_mixed_$$
vm joined -sname $name -setcookie usdt
# the probes of the script, by the provider that gives them
$K --cookie usdt -ln 'erlang*:::message-send' -p $pid | awk '/message-send$/ { print $2 == "erlang'$pid'" ? "one probe" : $0 }'
traced mixed --cookie usdt -s mixed.d
cat mixed mixed.err
