# Asserts that sizes are accepted with every suffix.
#
# @@timeout: 60

for s in 65536 64k 64K 1m 1M 0x10000; do
	$ERLTRACE -q -xbufsize=$s -n 'BEGIN { exit(0); }' >/dev/null 2>&1 || echo $s
done
echo done
