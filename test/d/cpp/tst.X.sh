# Asserts that -X a, c, s and t are accepted and others are not.

echo 'BEGIN { exit(0); }' >a.d
for m in a c s t; do $ERLTRACE -C -X $m -qs a.d >/dev/null 2>&1 || echo $m; done
$ERLTRACE -C -X z -qs a.d >/dev/null 2>&1; echo $?
