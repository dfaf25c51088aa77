# Asserts that -F prints the header of flow indentation.

$ERLTRACE -F -n 'BEGIN { exit(0); }' 2>/dev/null | head -1 | awk '{ print $1, $2 }'
