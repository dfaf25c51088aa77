# Asserts that quotes, backslashes and control characters are escaped.

$ERLTRACE --json -n 'BEGIN { printf("%s", "a\"b\\c\n\001"); exit(0); }' 2>/dev/null | grep -c '"values":\["a\\"b\\\\c\\n\\u0001"\]'
true
