# Nobody waits for a firing. While it lasts on two schedulers, a third asks for status, snapshot and records, starts, halts
# and stops scripts, and renames the node; all of that is done before it ends. And a script that is stopped meanwhile has
# all its calls.
# @@timeout: 240
. "$srcdir/lib.sh"
erlc -I "$srcdir" -o . "$srcdir/load.erl" "$srcdir/waits.erl" || exit 1
node_start +S 3:3 -pa "$BUILD/otp/erltrace/ebin"
trace -w --compile-only -o slow.dobj -n 'erlang*:load:call/1:entry { @ = count(); chill(450000000); }' || exit 1
trace --compile-only -o quick.dobj -n 'erlang*:load:up/1:entry { @ = count(); }' || exit 1
node_eval "waits:run(\"$BUILD/otp/erltrace/priv/erltrace_tracer\", \"$PWD/slow.dobj\", \"$PWD/quick.dobj\")." | tr '{' '\n' | sed -n 's/^\([a-z_]*\), *\([a-z0-9_-]*\)}.*/\1: \2/p'
node_eval 'erltrace_tracer:state().'
