# @@alone
# Starting and ending costs little: twenty runs in well under a second of the clock (much more room with sanitizers).
[ -n "$SAN" ] && limit=20 || limit=2
from=$(date +%s%N)
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	"$ERLTRACE" -qn 'BEGIN { exit(0); }' >/dev/null
done
ms=$((($(date +%s%N) - from) / 1000000))
[ $ms -lt $((limit * 1000)) ] && echo fast || echo "20 runs took $ms ms"
