# Asserts that options may come after the program.

$ERLTRACE -n 'BEGIN { printf("late\n"); exit(0); }' -q
