# OTP's own user probes are seen from their first call, even if nobody had loaded their module before.
# @@timeout: 120
. "$srcdir/lib.sh"
node_start
node_eval '[code:purge(dyntrace), code:delete(dyntrace), code:purge(dyntrace), code:is_loaded(dyntrace)].' >/dev/null
trace_start out -n 'erlang*:::user_trace-i4s4 { @[arg2, copyinstr(arg6)] = count(); }'
node_eval '[dyntrace:p(7, "seven") || _ <- lists:seq(1, 1000)], ok.'
trace_stop
cat out.txt
