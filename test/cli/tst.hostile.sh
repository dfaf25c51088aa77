# Hostile command lines get an answer and never crash the command.
long=$(head -c 100000 /dev/zero | tr '\0' 'a')
for a in "-n$long" "-x$long" "-b$long" "-s$long" "-D$long" "-P$long" "-i99999999999999999999" "-n::::::" "-n" "-n/" "-n{" "-n}" "-n'" '-n"' \
	'-n$' '-n`' '-n@' "-nBEGIN{" "-nBEGIN{printf(\"%" "-c\"" "-p99999999999999999999" "-x=" "-x==" "--=" "-$(printf '\001')" "-$(printf '\377')"; do
	"$ERLTRACE" -q "$a" -x zdefs >out 2>err </dev/null
	s=$?
	[ $s = 1 ] || [ $s = 2 ] || echo "$(echo "$a" | cut -c 1-40): status $s"
	[ -s err ] || echo "$(echo "$a" | cut -c 1-40): no message"
done
head -c 4096 /dev/urandom >noise.d
"$ERLTRACE" -qs noise.d >out 2>err
[ $? = 1 ] || echo "noise: status"
# A script without an end: an answer, and not all memory.
([ -n "$SAN" ] || ulimit -v 4000000; "$ERLTRACE" -qs /dev/zero >out 2>err) # sanitizers reserve more than that
[ $? = 1 ] && grep -q 'longer than 64 MiB' err || { echo "endless:"; cat err; }
: >empty.d
"$ERLTRACE" -qs empty.d >out 2>err
[ $? = 1 ] || echo "empty: status"
echo done
