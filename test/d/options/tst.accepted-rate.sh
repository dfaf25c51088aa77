# Asserts that every option that takes a rate is accepted by -x.
#
# @@timeout: 60

for o in aggrate=1s maxfire=5ms cleanrate=101hz statusrate=500ms switchrate=10hz; do
	$ERLTRACE -q -e -x $o -n BEGIN >/dev/null 2>err || { echo "$o:"; cat err; }
done
echo done
