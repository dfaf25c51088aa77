# Asserts that the number of matches of a script is told with its name.

printf 'BEGIN { exit(0); }\nEND { }\n' >a.d
$ERLTRACE -s a.d 2>&1 >/dev/null | sed 's/^[^:]*: //'
