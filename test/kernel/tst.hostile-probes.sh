# Asserts that another user's probes, which cannot be enabled, do not keep anybody from enabling his own probes of the
# same name: they are left out, and the command says so.
# @@timeout: 60
[ "$(id -u)" = 0 ] || { echo 'needs root, who looks at the processes of others' >&2; exit 67; }
. "$srcdir/usdt.sh"
hostile=$BUILD/test/hostile
$hostile unsound unsound.elf || exit 1
mkfifo hostile.in
$hostile map unsound.elf <hostile.in >hostile.ready &
evil=$!
exec 4>hostile.in
until grep -qs ready hostile.ready; do
	kill -0 $evil || exit 1
	sleep 0.05
done
waiting 5
$K -n 'BEGIN { ready = 1; } shop*:::order-placed /pid == $1/ { @n[probemod] = count(); @s = sum(arg0); n++; } tick-20ms /ready/ { ready = 0; system("echo >&3"); } tick-20ms /n == 5/ { exit(0); } tick-40s { exit(1); }' -w $pid >out 2>err || { echo "status $?"; cat err; }
awk 'NF' out | tr -s ' '
grep -o "left out .* of process $evil: .*" err | sed "s|$PWD/||; s/$evil/PID/g" | sort -u
exec 4>&-
wait $evil
