# Asserts that every line is one object, without empty lines.

$ERLTRACE --json -n 'BEGIN { printf("a\nb\n"); @[1] = count(); @[2] = count(); }' -n 'BEGIN { exit(0); }' 2>/dev/null | grep -vc '^{.*}$'
$ERLTRACE --json -n 'BEGIN { printf("a\nb\n"); @[1] = count(); @[2] = count(); exit(0); }' 2>/dev/null | wc -l | tr -d ' '
