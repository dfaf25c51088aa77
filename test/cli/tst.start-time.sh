# Starting and ending costs little: twenty runs take well under two seconds of the clock (much more with sanitizers),
# or, if other programs keep the machine busy, that much processor time.
# @@alone
[ -n "$SAN" ] && limit=20 || limit=2
from=$(date +%s%N)
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	"$ERLTRACE" -qn 'BEGIN { exit(0); }' >/dev/null
done
ms=$((($(date +%s%N) - from) / 1000000))
# user and system time of the children, "0m0.12s 0m0.08s" on the last line
times >times
cpu=$(tail -n 1 times | awk '{ split($1, u, /[ms]/); split($2, s, /[ms]/); print int((u[1] * 60 + u[2] + s[1] * 60 + s[2]) * 1000) }')
limit=$((limit * 1000))
[ "$(cut -d. -f1 /proc/loadavg)" -ge "$(nproc)" ] && ms=$cpu
[ "$ms" -lt $limit ] && echo fast || echo "20 runs took $ms ms, $cpu ms of processor time"
