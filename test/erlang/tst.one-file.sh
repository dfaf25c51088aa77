# The command copied alone is a complete erltrace: it carries what a node needs, counts exactly, and leaves nothing behind.
# Without it, and with a wrong $ERLTRACE_OTP, the reason is told at once.
. "$srcdir/lib.sh"
node_start
mkdir alone || exit
cp "$ERLTRACE" alone/erltrace || exit
ERLTRACE=$PWD/alone/erltrace
trace_start out -n 'erlang*:lists:droplast/1:entry { @calls = count(); }'
node_eval '[lists:droplast([x]) || _ <- lists:seq(1, 12345)], ok.'
trace_stop && cat out.txt
clean_node
ls alone

# what is missing is not waited for
begun=$(date +%s%N)
ERLTRACE_OTP=$PWD/nowhere trace -qn 'BEGIN { exit(0); }' 2>err && echo 'took a wrong folder'
ended=$(date +%s%N)
sed "s|$PWD|.|" err
[ $(((ended - begun) / 1000000)) -lt 1500 ] || echo "took $(((ended - begun) / 1000000)) ms"
