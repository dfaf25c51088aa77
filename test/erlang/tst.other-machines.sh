# A node for which there is no library is refused at once, with what it runs on: another system than Linux, or a processor
# that is neither x86-64 nor arm64.
. "$srcdir/lib.sh"
epmd -daemon
protocol=$(sed -n 's/.*NODE_PROTOCOL = \([0-9]*\).*/\1/p' "$srcdir/../../src/node/protocol.h")
name=erltrace-machines-$$
machines='aarch64-apple-darwin23.1.0 x86_64-unknown-freebsd14.0 win32 armv7l-unknown-linux-gnueabihf i686-pc-linux-gnu'
escript "$srcdir/hostile.escript" "$name" "$COOKIE" "$protocol" $machines >node.log 2>&1 &
NODES=$!
i=0
until grep -qs '^ready' node.log; do
	i=$((i + 1))
	[ $i -lt 1200 ] || { cat node.log; exit 1; }
	sleep 0.05
done
# copied alone, so that no path leads to a library
cp "$ERLTRACE" alone
for machine in $machines; do
	timeout 80 ./alone -N "$name" --cookie "$COOKIE" -n 'BEGIN { exit(0); }' 2>&1 | sed "s/^alone: //; s/$name@[^ ]*/N/"
done
