# Output that nobody reads (`| less`) does not end the trace: the command keeps answering the node while it waits, and
# says so when its output is read again. A signal ends the command even if nobody reads.
# @@timeout: 240
. "$srcdir/lib.sh"
# the node of this test is less patient than others, so that the test need not wait as long
node_start -erltrace silence 12000
mkfifo pipe
long='erlang*:::process-spawn { @ = count(); } tick-10ms /n++ < 4000/ { printf("%064d\n%064d\n%064d\n%064d\n", n, n, n, n); } tick-1s /n >= 4000/ { exit(0); }'
trace -x switchrate=50ms -qn "$long" >pipe 2>err &
pid=$!
exec 3<pipe
# a pipe holds 64k; this is past the silence, from when tracing is on
n=0
until [ "$(node_eval "$INFO"' {flags, F} = Info(new, flags), F =/= [].')" = true ] || [ $n -gt 600 ]; do
	n=$((n + 1))
	sleep 0.1
done
sleep 25
kill -0 $pid 2>/dev/null || { echo "it has ended: $(cat err)"; exit 1; }
node_eval '[spawn(fun() -> ok end) || _ <- [1, 2, 3]], ok.'
cat <&3 >read
wait $pid
echo "status $?"
exec 3<&-
# nothing of it is missing: all lines, in order
awk 'NF && length($1) == 64 { if ($1 + 0 != int(i / 4) + 1) bad++; i++ } END { print (i >= 4000 ? "all" : "few"), bad + 0 }' read
grep -q '^erltrace: output was blocked for [0-9]* s: nobody read it, and tracing went on$' err && echo "it says so" || cat err
grep -v -e 'output was blocked' -e drops err

# more at once than a pipe holds
much=$(for _ in 1 2 3 4 5 6 7 8 9 10; do printf 'printf("%%020000d\\n", 1); '; done)
env --default-signal "$ERLTRACE" -N "$NODE" --cookie "$COOKIE" -x switchrate=50ms -qn "BEGIN { $much } erlang*:::process-spawn { @ = count(); }" >pipe 2>err &
pid=$!
exec 3<pipe
n=0
# until tracing is on (attaching writes a lot, too) and it waits: in a write, or nothing is written any more
until [ "$(node_eval "$INFO"' {flags, F} = Info(new, flags), F =/= [].')" = true ] || [ $n -gt 600 ]; do
	n=$((n + 1))
	sleep 0.1
done
n=0 same=0 before=
until grep -q pipe_w "/proc/$pid/wchan" 2>/dev/null || [ $same -ge 20 ] || [ $n -gt 600 ]; do
	n=$((n + 1))
	sleep 0.1
	now=$(sed -n 's/^wchar: //p' "/proc/$pid/io" 2>/dev/null)
	if [ "$now" = "$before" ]; then same=$((same + 1)); else same=0; fi
	before=$now
done
kill -INT $pid
n=0
while kill -0 $pid 2>/dev/null && [ $n -lt 400 ]; do
	n=$((n + 1))
	sleep 0.1
done
kill -0 $pid 2>/dev/null && { echo "a signal does not end it"; kill -9 $pid; }
wait $pid
echo "status $?"
cat err
exec 3<&-
clean_node
