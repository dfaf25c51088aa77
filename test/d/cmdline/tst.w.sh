# Asserts that -w allows destructive actions.

$ERLTRACE -w -qn 'BEGIN { system("echo w"); exit(0); }'
