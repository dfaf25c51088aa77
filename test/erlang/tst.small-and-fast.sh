# The command stays small, and attaching fast: under 12 MB without debug information, and under 100 ms for a whole
# command that attaches to a node and ends (the best of twenty; of processor time, if others keep the machine busy).
# @@alone
[ -z "$SAN$TINY" ] || { echo "about the ordinary build" >&2; exit 67; }
. "$srcdir/lib.sh"
for file in "$ERLTRACE" "$BUILD/static/erltrace"; do
	[ -e "$file" ] || continue
	strip -o stripped "$file" || exit
	[ "$(stat -c %s stripped)" -lt $((12 << 20)) ] || echo "$file has $(stat -c %s stripped) bytes"
done
node_start
best=100000
# user and system time of the children, "0m0.12s 0m0.08s" on the last line, in ms
spent() {
	tail -n 1 "$1" | awk '{ split($1, u, /[ms]/); split($2, s, /[ms]/); print int((u[1] * 60 + u[2] + s[1] * 60 + s[2]) * 1000) }'
}
times >before
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	begun=$(date +%s%N)
	trace -qn 'erlang*:lists:seq/2:entry { } BEGIN { exit(0); }' >/dev/null 2>err || cat err
	took=$((($(date +%s%N) - begun) / 1000000))
	[ $took -ge $best ] || best=$took
done
times >after
cpu=$((($(spent after) - $(spent before)) / 20))
[ "$(cut -d. -f1 /proc/loadavg)" -lt "$(nproc)" ] || { [ $best -lt 100 ] || best=$cpu; }
[ "$best" -lt 100 ] && echo 'small and fast' || echo "attached in $best ms, with $cpu ms of processor time"
clean_node
echo "best $best ms, $cpu ms of processor time" >&2
