# The command copied alone is a complete erltrace: it carries what a node needs, counts exactly, and leaves nothing
# behind. Without what it carries, and with a wrong $ERLTRACE_OTP, it says why at once.
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

# what is missing is not waited for; the best of five, since others may be busy here
best=100000
for _ in 1 2 3 4 5; do
	begun=$(date +%s%N)
	ERLTRACE_OTP=$PWD/nowhere trace -qn 'BEGIN { exit(0); }' 2>err && echo 'took a wrong folder'
	took=$((($(date +%s%N) - begun) / 1000000))
	[ $took -ge $best ] || best=$took
done
sed "s|$PWD|.|" err
[ $best -lt 1500 ] || echo "took $best ms"

# it needs nothing but what every Linux has
[ -n "$SAN" ] || readelf -d "$ERLTRACE" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -v '^lib[cm]\.so\|^lib\(pthread\|dl\|rt\)\.so\|^ld-linux'
true
