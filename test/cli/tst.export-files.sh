# erltrace export raises its limit of open files as far as it needs: each script has some, and all run although the soft limit
# is too low for that.
# @@timeout: 120
. "$srcdir/export.sh"
trap export_end EXIT
i=0
while [ $i -lt 40 ]; do
	echo "/* @metric @n s${i}_total: Turns. */ BEGIN { @n = count(); }" >s$i.d
	echo "script s$i.d"
	i=$((i + 1))
done >scripts
{ echo 'listen 127.0.0.1:0'; cat scripts; } >export.conf
ulimit -Sn 40
export_start || exit
awk '/^Max open files/ { print($4 == 4608 || $4 == $5 ? "for all its scripts" : $0) }' "/proc/$EXPORT_PID/limits"
wait=0
until [ "$(fetch /metrics | grep -c '^s[0-9]*_total 1$')" = 40 ]; do
	wait=$((wait + 1))
	[ $wait -lt 500 ] || { fetch /metrics | grep -c '^s[0-9]*_total 1$'; break; }
	sleep 0.2
done
grep 'Too many' export.err
export_stop
