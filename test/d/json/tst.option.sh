# Asserts that option json is the same as --json.

$ERLTRACE -xjson -n 'BEGIN { exit(0); }' 2>/dev/null | grep -c '^{"type":"record"'
true
