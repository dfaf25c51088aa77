# Asserts that bytes that are not UTF-8 become U+FFFD.

$ERLTRACE --json -n 'BEGIN { trace("a\377b"); exit(0); }' 2>/dev/null | grep -c "$(printf 'a\357\277\275b')"
true
