# Asserts that one script sees the same on both engines: through the tracer of the node, and through the VM's USDT probes.
# @@timeout: 120
. "$srcdir/common.sh"
cat >both.d <<'END'
BEGIN { printf("on\n"); main = ""; }
erlang*:::process-spawn /copyinstr(arg1) == "load:main/0"/ { main = copyinstr(arg0); }
erlang*:::process-spawn /copyinstr(arg1) == "load:echo/1"/ { @["spawned"] = sum(1); }
erlang*:::message-send /main != "" && copyinstr(arg0) == main/ { @["sent"] = sum(1); @["words sent"] = sum(args[2]); }
erlang*:::message-send /main != "" && copyinstr(arg1) == main/ { @["answered"] = sum(1); @["words answered"] = sum(arg2); }
erlang*:::message-queued /main != "" && copyinstr(arg0) == main/ { @["queued"] = sum(1); @["words queued"] = sum(arg1); }
erlang*:::process-exit /copyinstr(arg1) == "done"/ { @["ended"] = sum(1); }
erlang*:::process-exit /main != "" && copyinstr(arg0) == main/ { exit(0); }
erlang*:::process-heap-grow { @grown = count(); }
END { clear(@grown); trunc(@grown); printa("%s %@d\n", @); }
END
export LINGER=2000
vm main -sname usdt_both_$$ -setcookie usdt
traced kernel -x engine=kernel -s both.d
vm main -sname usdt_both_$$ -setcookie usdt
traced user --cookie usdt -s both.d
cat kernel
diff kernel user && echo same
